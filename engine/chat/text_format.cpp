#include "engine/chat/text_format.h"

#include <algorithm>
#include <charconv>

#include "engine/chat/print.h"
#include "engine/chat/text_functions.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

/// Finds the value for each place.
class Places {
 public:
  Places(Context& context, const Arguments& arguments) : context_(context), arguments_(arguments) {}

  bool any_left() const { return arguments_.named.empty() && next_ < arguments_.positional.size(); }
  const Value& next() { return numbered(next_++); }
  const Value& numbered(std::size_t number) {
    if (number >= arguments_.positional.size())
      context_.fail("no argument for place " + std::to_string(number) + " of a format");
    return arguments_.positional[number];
  }
  const Value& named(std::string_view name) {
    for (const auto& [given, value] : arguments_.named) {
      if (given == name) return value;
    }
    context_.fail("no argument " + quote(name) + " for a format");
  }

 private:
  Context& context_;
  const Arguments& arguments_;
  std::size_t next_ = 0;
};

[[noreturn]] void fail_mark(const Context& context, std::string_view mark) {
  context.fail("a mark in a format that is not supported: " + quote(mark));
}

/// The value that the inside of a pair of braces asks for.
const Value& value_in_braces(Context& context, Places& places, std::string_view inside) {
  if (inside.empty()) return places.next();
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(inside.data(), inside.data() + inside.size(), number);
  if (fault == std::errc{} && end == inside.data() + inside.size()) return places.numbered(number);
  if (inside.find_first_of("!:.[]{") != std::string_view::npos) fail_mark(context, inside);
  return places.named(inside);
}

}  // namespace

Value format_braces(Context& context, const Text& format, const Arguments& arguments) {
  const std::string_view bytes = format.bytes();
  Places places(context, arguments);
  TextBuilder result(context);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t brace = std::min(bytes.find_first_of("{}", at), bytes.size());
    result.append(format, {at, brace});
    if (brace == bytes.size()) break;
    if (bytes.substr(brace + 1, 1) == bytes.substr(brace, 1)) {
      result.append(format, {brace, brace + 1});
      at = brace + 2;
      continue;
    }
    const std::size_t close = bytes.find('}', brace);
    if (bytes[brace] == '}' || close == std::string_view::npos)
      context.fail("a brace without its other half");
    print(result, value_in_braces(context, places, bytes.substr(brace + 1, close - brace - 1)));
    at = close + 1;
  }
  return result.value();
}

Value format_percent(Context& context, const Text& format, const Arguments& arguments) {
  const std::string_view bytes = format.bytes();
  Places places(context, arguments);
  TextBuilder result(context);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t sign = std::min(bytes.find('%', at), bytes.size());
    result.append(format, {at, sign});
    if (sign == bytes.size()) break;
    std::size_t letter = sign + 1;
    std::optional<std::string_view> name;
    if (bytes.substr(letter, 1) == "(") {
      const std::size_t close = std::min(bytes.find(')', letter), bytes.size());
      name = bytes.substr(letter + 1, close - letter - 1);
      letter = close + 1;
    }
    const std::string_view kind = letter < bytes.size() ? bytes.substr(letter, 1) : "";
    if (kind == "%" && !name) {
      result.append(format, {sign, sign + 1});
    } else if (kind == "s" || kind == "d") {
      const Value& value = name ? places.named(*name) : places.next();
      if (kind == "d") require_integer(context, value, "the value of '%d'");
      print(result, value);
    } else {
      fail_mark(context, bytes.substr(sign, letter + 1 - sign));
    }
    at = letter + 1;
  }
  if (places.any_left()) context.fail("more arguments than places of a format");
  return result.value();
}

}  // namespace armature::chat
