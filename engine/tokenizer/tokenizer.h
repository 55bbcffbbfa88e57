#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/byte_range.h"
#include "engine/token.h"
#include "gguf/metadata.h"

namespace armature {

class FragmentEncoder;
class SpecialMatcher;
class Vocabulary;

/// `tokenizer.ggml.token_type`, by its number in the file.
enum class TokenType : std::uint8_t {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6,
};

struct EncodeOptions {
  /// BOS in front and EOS behind, each if the file asks for it (add_bos(), add_eos()).
  bool add_special = true;
  /// Spellings of control and unknown tokens become these tokens. User-defined ones always do.
  bool parse_special = true;
  /// Stretches (ascending, not overlapping) in which control and unknown tokens are not recognised even so: a
  /// spelling that shares a byte with one of them is ordinary text. They do not cut the text: tokens run
  /// across their borders as if they were not there. For the words of a user inside a chat template.
  std::span<const ByteRange> literal = {};
  /// The text goes on from ordinary text: `add_space_prefix` puts no space in front of it.
  bool continues = false;
};

/// What of a text a vocabulary without tokens for some bytes could not spell.
struct EncodeLosses {
  std::size_t n_replaced = 0;  // bytes that were not UTF-8 and became U+FFFD
  std::size_t n_unknown = 0;   // bytes for which the unknown token stands
};

struct DecodeOptions {
  /// Control and unknown tokens appear as they are spelled; else they are left out.
  bool show_control = true;
  /// Undo `add_space_prefix`: one leading space is dropped at the start and after each control, unknown or
  /// user-defined token. Without effect on vocabularies that add no space.
  bool strip_leading_space = true;
};

/// Text to token ids and back, as the metadata of a file say. Immutable; used by any thread. Spellings are
/// views into the bytes of the file, which must outlive it.
///
/// Text is bytes. What is not UTF-8 is kept: for splitting each bad byte counts as U+FFFD, but its token is
/// that of the byte itself, so decode() gives it back. Where a BPE vocabulary has no token for one of them,
/// all bad bytes between two special tokens become U+FFFD.
class Tokenizer {
 public:
  /// Throws Error: missing_key, wrong_key_type, bad_vocab, bad_merges, unknown_tokenizer,
  /// unknown_pre_tokenizer.
  static std::unique_ptr<const Tokenizer> from(const gguf::Metadata& metadata);
  ~Tokenizer();

  std::size_t n_vocab() const;
  std::optional<TokenId> bos() const;
  std::optional<TokenId> eos() const;
  std::optional<TokenId> eot() const;  // end of turn, only where the file has its key
  std::optional<TokenId> eom() const;  // end of message (a tool call follows), as eot
  std::optional<TokenId> unk() const;
  std::optional<TokenId> pad() const;
  bool add_bos() const { return add_bos_; }  // false if there is no BOS token
  bool add_eos() const { return add_eos_; }
  /// True where the publisher's tokenizer normalises text to NFC first. encode() does not: see to_nfc().
  bool expects_nfc() const { return expects_nfc_; }

  /// True for the eos, eot and eom tokens, and for control tokens spelled like a well-known end mark (the
  /// list is in vocabulary.cpp).
  bool is_end_of_generation(TokenId id) const;
  TokenType type(TokenId id) const;
  /// The text in the file, e.g. "Ġhello" or "▁hello". `id` must be in the vocabulary, here and above.
  std::string_view spelling(TokenId id) const;

  static constexpr std::size_t kMaxTextBytes = INT32_MAX / 4;
  /// Time is O(n log n) in the bytes of `text`. What the vocabulary cannot spell is added to `losses`. Throws
  /// Error bad_argument for a text of more than kMaxTextBytes, and for a character that the vocabulary cannot
  /// spell, if it has no unknown token either (BPE: none that is not a control token).
  std::vector<TokenId> encode(std::string_view text, const EncodeOptions& options,
                              EncodeLosses& losses) const;
  std::vector<TokenId> encode(std::string_view text, const EncodeOptions& options) const {
    EncodeLosses losses;
    return encode(text, options, losses);
  }
  std::vector<TokenId> encode(std::string_view text) const { return encode(text, EncodeOptions{}); }

  /// Appends the bytes of one token, nothing stripped. They may end inside a character (see Utf8Stream). An
  /// id outside the vocabulary adds nothing.
  void append_piece(std::string& out, TokenId id, bool show_control) const;
  std::string decode(std::span<const TokenId> ids, const DecodeOptions& options) const;
  std::string decode(std::span<const TokenId> ids) const { return decode(ids, DecodeOptions{}); }

  /// Oddities of the file that were tolerated: printable lines.
  std::span<const std::string> warnings() const { return warnings_; }

 private:
  explicit Tokenizer(const gguf::Metadata& metadata);

  std::unique_ptr<const Vocabulary> vocabulary_;
  std::unique_ptr<const FragmentEncoder> encoder_;
  std::unique_ptr<const SpecialMatcher> specials_;
  bool add_bos_ = false;
  bool add_eos_ = false;
  bool expects_nfc_ = false;
  std::vector<std::string> warnings_;
};

}  // namespace armature
