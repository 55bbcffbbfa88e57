#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/token.h"
#include "engine/tokenizer/vocabulary.h"

namespace armature {

/// Finds the spellings of control, unknown and user-defined tokens in text. Immutable; used by any thread.
class SpecialMatcher {
 public:
  struct Match {
    TokenId id;
    std::size_t length;   // bytes of the spelling
    bool swallows_space;  // ASCII white space behind it is dropped
  };

  /// `phi3`: all special tokens but "<s>", "<unk>" and "<|endoftext|>" swallow white space; the files of this
  /// family have no key that says so.
  SpecialMatcher(const Vocabulary& vocabulary, bool phi3);

  /// The longest token that `text` starts with. Control and unknown tokens count only up to `control_limit`
  /// bytes. Time is at most that of the longest spelling, whatever the text.
  std::optional<Match> match_front(std::string_view text, std::size_t control_limit) const;

 private:
  struct Entry {
    std::string_view spelling;
    TokenId id;
    bool user_defined;
    bool swallows_space;
  };
  /// The part of entries [first, last) whose byte `depth` is `byte`; they agree before it and are longer.
  void narrow(std::size_t& first, std::size_t& last, std::size_t depth, unsigned char byte) const;

  std::vector<Entry> entries_;           // sorted by spelling, then id: a trie, read by halving
  std::array<std::size_t, 257> starts_;  // entries that begin with byte b: starts_[b] to starts_[b + 1]
};

}  // namespace armature
