#include "engine/chat/text_functions.h"

#include <algorithm>
#include <unordered_set>

#include "engine/chat/find_text.h"
#include "engine/chat/operators.h"
#include "engine/chat/print.h"
#include "engine/chat/utf8.h"

namespace armature::chat {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

/// Where the last character of text[0, end) begins.
std::size_t last_character(std::string_view text, std::size_t end) {
  for (std::size_t length = 2; length <= std::min<std::size_t>(4, end); ++length) {
    if (character_length(text.substr(0, end), end - length) == length) return end - length;
  }
  return end - 1;
}

/// Strips characters of a set.
ByteRange strip_set(Context& context, std::string_view text, Side side, std::string_view set) {
  context.charge(16 * set.size());
  std::unordered_set<char32_t> characters;
  for (std::size_t at = 0; at < set.size(); at += character_length(set, at)) {
    characters.insert(decode_character(set, at));
  }
  ByteRange kept{0, text.size()};
  while (side != Side::right && kept.begin < kept.end &&
         characters.contains(decode_character(text, kept.begin))) {
    kept.begin += character_length(text, kept.begin);
  }
  while (side != Side::left && kept.begin < kept.end) {
    const std::size_t last = last_character(text, kept.end);
    if (!characters.contains(decode_character(text.substr(0, kept.end), last))) break;
    kept.end = last;
  }
  return kept;
}

ByteRange strip_space(std::string_view text, Side side) {
  ByteRange kept{0, text.size()};
  if (side != Side::right) kept.begin = skip_space_front(text, 0);
  if (side != Side::left) kept.end = std::max(kept.begin, skip_space_back(text, text.size()));
  return kept;
}

/// The parts of a text as values.
class Parts {
 public:
  Parts(Context& context, const Text& text) : context_(context), text_(text) {}

  void add(ByteRange part) {
    context_.charge_values(4);
    context_.charge(part.end - part.begin);
    values_.emplace_back(text_.slice(part));
  }
  Value list() { return context_.list(std::move(values_)); }
  Value list_from_the_right() { return context_.list({values_.rbegin(), values_.rend()}); }

 private:
  Context& context_;
  const Text& text_;
  std::vector<Value> values_;
};

Value split_at(Context& context, const Text& text, const Text& separator, std::int64_t n_splits) {
  if (separator.empty()) context.fail("the separator is empty");
  Parts parts(context, text);
  std::size_t begin = 0;
  for (; n_splits != 0; --n_splits) {
    const std::size_t found = find_text(context, text.bytes(), separator.bytes(), begin);
    if (found == kNone) break;
    parts.add({begin, found});
    begin = found + separator.size();
  }
  parts.add({begin, text.size()});
  return parts.list();
}

Value split_at_from_the_right(Context& context, const Text& text, const Text& separator,
                              std::int64_t n_splits) {
  if (separator.empty()) context.fail("the separator is empty");
  // Each look at a place compares at most the separator.
  const std::string_view bytes = text.bytes();
  Parts parts(context, text);
  std::size_t end = bytes.size();
  for (std::size_t at = bytes.size(); at >= separator.size() && n_splits != 0;) {
    context.charge(1 + (bytes[at - 1] == separator.bytes().back() ? separator.size() : 0));
    if (bytes.substr(at - separator.size(), separator.size()) == separator.bytes()) {
      parts.add({at, end});
      at -= separator.size();
      end = at;
      --n_splits;
    } else {
      --at;
    }
  }
  parts.add({0, end});
  return parts.list_from_the_right();
}

Value split_at_space(Context& context, const Text& text, std::int64_t n_splits) {
  const std::string_view bytes = text.bytes();
  context.charge(2 * bytes.size());
  Parts parts(context, text);
  std::size_t begin = skip_space_front(bytes, 0);
  while (begin < bytes.size()) {
    std::size_t end = begin;
    while (end < bytes.size() && !is_space(decode_character(bytes, end))) end += character_length(bytes, end);
    if (n_splits-- == 0) end = bytes.size();
    parts.add({begin, end});
    begin = skip_space_front(bytes, end);
  }
  return parts.list();
}

char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_letter(char c) { return to_upper(c) != to_lower(c) || static_cast<unsigned char>(c) >= 0x80; }

/// A new part between all characters, and at both ends, as Python replaces an empty string.
Value interleave(Context& context, const Text& text, const Text& new_part, std::int64_t count) {
  TextBuilder result(context);
  std::size_t at = 0;
  for (; count != 0; --count) {
    result.append(new_part);
    if (at == text.size()) break;
    const std::size_t next = at + character_length(text.bytes(), at);
    result.append(text, {at, next});
    at = next;
  }
  result.append(text, {at, text.size()});
  return result.value();
}

}  // namespace

Value strip(Context& context, const Text& text, Side side, const Value& set) {
  context.charge(2 * text.size());
  const ByteRange kept =
      is_absent(set) ? strip_space(text.bytes(), side)
                     : strip_set(context, text.bytes(), side, require_text(context, set, "a set").bytes());
  return Value(text.slice(kept));
}

Value split(Context& context, const Text& text, const Value& separator, std::int64_t n_splits, Side from) {
  if (is_absent(separator)) {
    if (from == Side::right && n_splits >= 0) context.fail("rsplit() with a count needs a separator");
    return split_at_space(context, text, n_splits);
  }
  const Text& at = require_text(context, separator, "a separator");
  return from == Side::right ? split_at_from_the_right(context, text, at, n_splits)
                             : split_at(context, text, at, n_splits);
}

Value split_lines(Context& context, const Text& text) {
  const std::string_view bytes = text.bytes();
  context.charge(bytes.size());
  Parts parts(context, text);
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n", begin), bytes.size());
    parts.add({begin, end});
    begin = end + (bytes.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  return parts.list();
}

Value replace(Context& context, const Text& text, const Text& old_part, const Text& new_part,
              std::int64_t count) {
  if (old_part.empty()) return interleave(context, text, new_part, count);
  TextBuilder result(context);
  std::size_t begin = 0;
  for (; count != 0; --count) {
    const std::size_t found = find_text(context, text.bytes(), old_part.bytes(), begin);
    if (found == kNone) break;
    result.append(text, {begin, found});
    result.append(new_part);
    begin = found + old_part.size();
  }
  result.append(text, {begin, text.size()});
  return result.value();
}

Value join(Context& context, const Value& items, const Text& separator) {
  TextBuilder result(context);
  bool first = true;
  const Value list = elements_of(context, items);
  for (const Value& item : list.as_list()->items()) {
    if (!first) result.append(separator);
    first = false;
    print(result, item);
  }
  return result.value();
}

Value change_case(Context& context, const Text& text, Case to) {
  context.charge(2 * text.size());
  std::string bytes = text.bytes();
  bool starts_word = true;
  for (char& c : bytes) {
    const bool upper = to == Case::upper || (to != Case::lower && starts_word);
    if (to == Case::capital) starts_word = false;
    if (to == Case::title) starts_word = !is_letter(c);
    if (to == Case::words) starts_word = std::string_view(" \t\n\v\f\r-([{<").find(c) != kNone;
    c = upper ? to_upper(c) : to_lower(c);
  }
  return Value(text.with_bytes(std::move(bytes)));
}

const Text& require_text(const Context& context, const Value& value, std::string_view what) {
  if (!value.as_text()) context.fail(std::string(what) + " must be a string, not " + describe(value));
  return *value.as_text();
}

std::int64_t require_integer(const Context& context, const Value& value, std::string_view what) {
  const auto integer = to_integer(value);
  if (!integer) context.fail(std::string(what) + " must be an integer, not " + describe(value));
  return *integer;
}

}  // namespace armature::chat
