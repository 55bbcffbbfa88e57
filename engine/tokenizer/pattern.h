#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/tokenizer/unicode.h"

namespace armature {

/// A character as patterns see it.
struct PatternChar {
  char32_t code_point;
  unicode::Properties properties;
};

/// A set of characters: those with one of some properties or in one of some ranges, or all others.
class CharSet {
 public:
  void add(unicode::Properties properties) { properties_ |= properties; }
  void add(char32_t first, char32_t last) { ranges_.emplace_back(first, last); }
  /// Ends the building; `negated`: the set is all that was not added.
  void finish(bool negated);

  bool contains(const PatternChar& c) const {
    return c.code_point < ascii_.size() ? ascii_[c.code_point] : look_up(c);
  }

 private:
  bool look_up(const PatternChar& c) const;

  unicode::Properties properties_ = 0;
  std::vector<std::pair<char32_t, char32_t>> ranges_;  // ascending, apart from each other once finished
  bool negated_ = false;
  std::array<bool, 128> ascii_{};
};

/// A splitting expression in the form in which vocabularies are published, reduced to what they use:
///
///   alternatives   a|b           the first that matches wins, as in a backtracking engine
///   characters     x  \r  [a-z]  [^\s\p{L}]  \p{Lu}  \s  \d  (White_Space; decimal digits)
///   repetition     ?  *  +  {n}  {m,n}                      greedy, after a character
///   words          (?i:'s|'ll)  (?i:'s|'ll)?                ASCII, without regard to case
///   conditions     (?!\S)  $  (?=(?:\d{3})*\b)              $ is the end of the text alone
///
/// Immutable; used by any thread.
class Pattern {
 public:
  /// Throws Error bad_argument for anything else.
  explicit Pattern(std::string_view text);

  static constexpr std::uint32_t kUnbounded = UINT32_MAX;

  enum class ItemKind : std::uint8_t { run, words, before_space_or_end, before_digits_by_three, at_end };
  struct Item {
    ItemKind kind;
    CharSet set;                        // of a run
    std::uint32_t min = 1, max = 1;     // of a run: characters; of words: 0 or 1 and 1
    std::vector<std::u32string> words;  // folded
  };
  /// Items [first, last) that must match one after the other.
  struct Sequence {
    std::uint32_t first, last;
  };
  std::span<const Item> items() const { return items_; }
  std::span<const Sequence> alternatives() const { return alternatives_; }

 private:
  std::vector<Item> items_;
  std::vector<Sequence> alternatives_;
};

/// Finds the matches of a pattern in one text, from front to back.
///
/// It backtracks, but in linear time for the patterns of the rule table. A run that ended at e and let the
/// rest of its alternative fail at every exit from x to e would fail again at these exits wherever it began,
/// so each item remembers them, and no exit of a run is tried twice. One try costs a bounded number of
/// characters, because what follows a long run in these patterns either fails at its first character or not
/// at all. Recursion is as deep as an alternative has items, whatever the text.
class PatternMatcher {
 public:
  explicit PatternMatcher(const Pattern& pattern);

  /// From now on the text is `text`, which must live on.
  void reset(std::span<const PatternChar> text);
  /// Characters of the match that begins at `at`; 0 if there is none.
  std::size_t match_at(std::size_t at);

 private:
  /// Entries of an item for which the rest of the alternative is known to fail: from <= position <= to.
  struct Failed {
    std::size_t from = 1, to = 0;
  };
  static constexpr std::size_t kNoMatch = SIZE_MAX;
  std::size_t match_items(std::uint32_t item, std::uint32_t last, std::size_t at);
  std::size_t match_run(std::uint32_t item, std::uint32_t last, std::size_t at);
  std::size_t match_words(std::uint32_t item, std::uint32_t last, std::size_t at);
  bool before_digits_by_three(std::size_t at);

  const Pattern* pattern_;
  std::span<const PatternChar> text_;
  std::vector<Failed> failed_;  // for each item
  /// The stretch of digits that was looked at last; no digit follows it.
  struct Digits {
    std::size_t begin = 1, end = 0;
  };
  Digits digits_;
};

}  // namespace armature
