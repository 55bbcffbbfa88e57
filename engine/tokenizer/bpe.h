#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tokenizer/fragment_encoder.h"
#include "engine/tokenizer/index_table.h"
#include "engine/tokenizer/pretokenizer.h"
#include "engine/tokenizer/vocabulary.h"

namespace armature {

/// Byte-level BPE (`tokenizer.ggml.model` = gpt2): pieces of text are mapped to printable characters, one for
/// each byte, and adjacent symbols joined in the order of the merge list.
class Bpe : public FragmentEncoder {
 public:
  /// `vocabulary` must outlive it. Malformed merges are skipped, with one line in `warnings`. Throws Error
  /// missing_key or wrong_key_type for the merges.
  Bpe(const Vocabulary& vocabulary, const gguf::Metadata& metadata, const PreRule& rule,
      std::vector<std::string>& warnings);

  void encode(std::string_view fragment, bool continues, std::vector<TokenId>& ids,
              EncodeLosses& losses) const override;
  void append_text(std::string& out, std::string_view spelling) const override;
  bool adds_space() const override { return false; }

 private:
  /// A string that merging meets: a normal token by its id, others by numbers from n_vocab up.
  using SymbolId = std::uint32_t;
  class SymbolNames;
  struct Merge {
    SymbolId left, right, result;
  };
  /// A stretch of a piece, in a list linked by index.
  struct Symbol {
    SymbolId id;
    std::uint32_t begin;  // byte in the piece
    std::uint32_t previous, next;
  };
  /// Work memory of one call, kept from piece to piece.
  struct Work;

  void add_merge(const Merge& merge);
  /// The place in the merge list of a pair; kNoRank if it is not there.
  std::uint32_t rank_of(SymbolId left, SymbolId right) const;
  bool has_token(char byte) const;
  /// Appends the ids of a fragment, the unknown token or nothing for bytes without token, which are counted.
  void encode_pieces(std::string_view fragment, Work& work, std::vector<TokenId>& ids) const;
  void encode_piece(std::string_view piece, Work& work, std::vector<TokenId>& ids) const;
  void merge_symbols(Work& work) const;
  void append_bytes(std::string_view piece, std::size_t begin, std::size_t end, Work& work,
                    std::vector<TokenId>& ids) const;

  const Vocabulary* vocabulary_;
  Pretokenizer pretokenizer_;
  bool whole_piece_first_;
  std::optional<TokenId> unknown_;  // never a control token: these do not come of ordinary text
  std::array<SymbolId, 256> byte_symbols_;
  std::vector<Merge> merges_;  // by rank
  IndexTable ranks_;           // of merges_, by left and right
};

}  // namespace armature
