#include "engine/tokenizer/pattern.h"

#include <algorithm>

#include "engine/tokenizer/utf8.h"
#include "gguf/error.h"

namespace armature {

void CharSet::finish(bool negated) {
  std::sort(ranges_.begin(), ranges_.end());
  std::vector<std::pair<char32_t, char32_t>> merged;
  for (const auto& range : ranges_) {
    if (!merged.empty() && range.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, range.second);
    } else {
      merged.push_back(range);
    }
  }
  ranges_ = std::move(merged);
  negated_ = negated;
  for (char32_t c = 0; c < ascii_.size(); ++c) ascii_[c] = look_up({c, unicode::properties_of(c)});
}

bool CharSet::look_up(const PatternChar& c) const {
  if ((c.properties & properties_) != 0) return !negated_;
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), c.code_point,
                                      [](char32_t code, const auto& range) { return code < range.first; });
  const bool in_range = after != ranges_.begin() && c.code_point <= std::prev(after)->second;
  return in_range != negated_;
}

namespace {

/// Reads the text of a pattern from front to back.
class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  bool take(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }
  Pattern::Item item();

 private:
  [[noreturn]] void fail() const {
    throw Error(ErrorCode::bad_argument,
                "pattern " + quote(text_) + ": syntax at byte " + std::to_string(at_));
  }
  void expect(std::string_view expected) {
    if (!take(expected)) fail();
  }
  char32_t character() {
    if (at_end()) fail();
    const Utf8Start start = read_utf8(text_.substr(at_));
    if (start.kind != Utf8Kind::character) fail();
    at_ += start.length;
    return start.code_point;
  }
  std::uint32_t number();
  Pattern::Item words();
  CharSet char_set();
  void add_class_member(CharSet& set);
  bool add_property(CharSet& set);
  char32_t class_character();
  void repetition(Pattern::Item& item);

  std::string_view text_;
  std::size_t at_ = 0;
};

Pattern::Item PatternReader::item() {
  if (take("(?!\\S)")) return {Pattern::ItemKind::before_space_or_end, {}, 1, 1, {}};
  if (take("(?=(?:\\d{3})*\\b)")) return {Pattern::ItemKind::before_digits_by_three, {}, 1, 1, {}};
  if (take("(?i:")) return words();
  if (take("$")) return {Pattern::ItemKind::at_end, {}, 1, 1, {}};
  Pattern::Item run{Pattern::ItemKind::run, char_set(), 1, 1, {}};
  repetition(run);
  return run;
}

Pattern::Item PatternReader::words() {
  Pattern::Item item{Pattern::ItemKind::words, {}, 1, 1, {{}}};
  while (!take(")")) {
    if (take("|")) {
      item.words.emplace_back();
    } else {
      item.words.back() += unicode::fold_to_ascii(character());
    }
  }
  if (take("?")) item.min = 0;
  return item;
}

CharSet PatternReader::char_set() {
  CharSet set;
  bool negated = false;
  if (take("[")) {
    negated = take("^");
    while (!take("]")) add_class_member(set);
  } else if (!add_property(set)) {
    constexpr std::string_view kSyntax = "()*+?{}]^.";
    if (!at_end() && kSyntax.find(text_[at_]) != kSyntax.npos) fail();
    const char32_t c = class_character();
    set.add(c, c);
  }
  set.finish(negated);
  return set;
}

void PatternReader::add_class_member(CharSet& set) {
  if (add_property(set)) return;
  const char32_t first = class_character();
  set.add(first, take("-") ? class_character() : first);
}

bool PatternReader::add_property(CharSet& set) {
  if (take("\\s")) {
    set.add(unicode::White_Space);
    return true;
  }
  if (take("\\d")) {
    set.add(unicode::Nd);
    return true;
  }
  if (!take("\\p{")) return false;
  const std::string_view name = text_.substr(at_, text_.find('}', at_) - at_);
  const auto properties = unicode::category_named(name);
  if (!properties) fail();
  set.add(*properties);
  at_ += name.size();
  expect("}");
  return true;
}

char32_t PatternReader::class_character() {
  if (take("\\r")) return '\r';
  if (take("\\n")) return '\n';
  const bool escaped = take("\\");
  const char32_t c = character();
  const bool letter_or_digit = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  if (escaped && letter_or_digit) fail();  // a class or an assertion that is not in the subset
  return c;
}

std::uint32_t PatternReader::number() {
  std::uint32_t value = 0;
  const std::size_t begin = at_;
  while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9' && value < 1000) {
    value = value * 10 + static_cast<std::uint32_t>(text_[at_++] - '0');
  }
  if (at_ == begin) fail();
  return value;
}

void PatternReader::repetition(Pattern::Item& item) {
  if (take("?")) {
    item.min = 0;
  } else if (take("*")) {
    item.min = 0;
    item.max = Pattern::kUnbounded;
  } else if (take("+")) {
    item.max = Pattern::kUnbounded;
  } else if (take("{")) {
    item.min = number();
    item.max = take(",") ? number() : item.min;
    expect("}");
    if (item.min > item.max) fail();
  }
}

}  // namespace

Pattern::Pattern(std::string_view text) {
  PatternReader reader(text);
  std::uint32_t first = 0;
  const auto size = [this] { return static_cast<std::uint32_t>(items_.size()); };
  while (!reader.at_end()) {
    if (reader.take("|")) {
      alternatives_.push_back({first, size()});
      first = size();
    } else {
      items_.push_back(reader.item());
    }
  }
  alternatives_.push_back({first, size()});
}

PatternMatcher::PatternMatcher(const Pattern& pattern)
    : pattern_(&pattern), failed_(pattern.items().size()) {}

void PatternMatcher::reset(std::span<const PatternChar> text) {
  text_ = text;
  std::fill(failed_.begin(), failed_.end(), Failed{});
  digits_ = {};
}

std::size_t PatternMatcher::match_at(std::size_t at) {
  for (const Pattern::Sequence& sequence : pattern_->alternatives()) {
    const std::size_t end = match_items(sequence.first, sequence.last, at);
    if (end != kNoMatch && end > at) return end - at;
  }
  return 0;
}

/// The end of the match of items [item, last) at `at`, or kNoMatch; so do the two below.
std::size_t PatternMatcher::match_items(std::uint32_t item, std::uint32_t last, std::size_t at) {
  if (item == last) return at;
  bool holds = false;
  switch (pattern_->items()[item].kind) {
    case Pattern::ItemKind::run:
      return match_run(item, last, at);
    case Pattern::ItemKind::words:
      return match_words(item, last, at);
    case Pattern::ItemKind::before_space_or_end:
      holds = at == text_.size() || (text_[at].properties & unicode::White_Space) != 0;
      break;
    case Pattern::ItemKind::before_digits_by_three:
      holds = before_digits_by_three(at);
      break;
    case Pattern::ItemKind::at_end:
      holds = at == text_.size();
      break;
  }
  return holds ? match_items(item + 1, last, at) : kNoMatch;
}

/// True if a multiple of three digits follows and then the end of a word. Behind at least one digit.
bool PatternMatcher::before_digits_by_three(std::size_t at) {
  using namespace unicode;
  constexpr Properties kWord = Lu | Ll | Lt | Lm | Lo | Mn | Mc | Me | Nd | Nl | Pc;
  std::size_t end = at;
  while (end < text_.size() && (text_[end].properties & Nd) != 0) {
    // Entries come from back to front within a run, and from front to back otherwise.
    end = end >= digits_.begin && end < digits_.end ? digits_.end : end + 1;
  }
  digits_ = {at, end};
  return (end - at) % 3 == 0 && (end == text_.size() || (text_[end].properties & kWord) == 0);
}

std::size_t PatternMatcher::match_run(std::uint32_t item, std::uint32_t last, std::size_t at) {
  Failed& failed = failed_[item];
  if (at >= failed.from && at <= failed.to) return kNoMatch;
  const Pattern::Item& run = pattern_->items()[item];
  const std::size_t limit = at + std::min<std::size_t>(run.max, text_.size() - at);
  std::size_t end = at;
  while (end < limit && run.set.contains(text_[end])) ++end;
  if (end - at < run.min) return kNoMatch;
  for (std::size_t exit = end;; --exit) {
    const std::size_t match = match_items(item + 1, last, exit);
    if (match == kNoMatch && exit > at + run.min) continue;
    // With a bound, where a run ends depends on where it began: nothing can be learnt from it.
    if (run.max == Pattern::kUnbounded) {
      failed = {match == kNoMatch ? at : exit + 1 - run.min, end};
    }
    return match;
  }
}

std::size_t PatternMatcher::match_words(std::uint32_t item, std::uint32_t last, std::size_t at) {
  const Pattern::Item& choice = pattern_->items()[item];
  for (const std::u32string& word : choice.words) {
    const auto equal = [](char32_t w, const PatternChar& c) {
      return w == unicode::fold_to_ascii(c.code_point);
    };
    const auto text = text_.subspan(at);
    if (word.size() > text.size() || !std::equal(word.begin(), word.end(), text.begin(), equal)) continue;
    const std::size_t match = match_items(item + 1, last, at + word.size());
    if (match != kNoMatch) return match;
  }
  return choice.min == 0 ? match_items(item + 1, last, at) : kNoMatch;
}

}  // namespace armature
