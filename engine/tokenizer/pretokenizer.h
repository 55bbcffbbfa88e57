#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/tokenizer/pattern.h"
#include "engine/tokenizer/pre_rules.h"

namespace armature {

/// Cuts text into pieces by a rule. Immutable; used by any thread.
class Pretokenizer {
 public:
  explicit Pretokenizer(const PreRule& rule);

  /// Byte lengths of the pieces of `text`, in order; they add up to its size. A byte that is in no
  /// well-formed character counts as one U+FFFD. Time is linear in the text.
  std::vector<std::size_t> split(std::string_view text) const;

 private:
  std::vector<Pattern> steps_;
};

}  // namespace armature
