#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/token.h"

namespace armature {

struct EncodeLosses;

/// The part that kinds of tokenizer do each in their own way: text without special tokens to ids, and the
/// spelling of a normal token back to text. Immutable; used by any thread.
class FragmentEncoder {
 public:
  virtual ~FragmentEncoder() = default;

  /// Appends the ids of a fragment, which is not empty and at most 2^31 - 1 bytes long. `continues`: it goes
  /// on from ordinary text, so that no space is put before it. Adds to `losses`. Throws Error bad_argument if
  /// the vocabulary cannot spell it and has no unknown token.
  virtual void encode(std::string_view fragment, bool continues, std::vector<TokenId>& ids,
                      EncodeLosses& losses) const = 0;
  /// Appends the bytes that a normal token of this spelling stands for.
  virtual void append_text(std::string& out, std::string_view spelling) const = 0;
  /// True if encode() puts a space before each fragment.
  virtual bool adds_space() const = 0;
};

}  // namespace armature
