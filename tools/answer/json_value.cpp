#include "tools/answer/json_value.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "engine/chat/utf8.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/json_fault.h"

namespace armature::tools {
namespace {

using chat::Value;

/// "line 2, column 5" of a byte.
std::string place_in_words(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return compose("line {}, column {}", std::count(before.begin(), before.end(), '\n') + 1,
                 chat::count_characters(before.substr(line_start)) + 1);
}

/// Takes the parser's events and builds the value. The first fault ends the parsing.
class ValueBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  explicit ValueBuilder(std::string_view text) : text_(text) {}

  const std::string& fault() const { return fault_; }
  Value take() { return std::move(result_); }

  bool null() { return add(Value::none()); }
  bool boolean(bool value) { return add(Value(value)); }
  bool number_integer(number_integer_t value) { return add(Value(std::int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) return fail(too_large(std::to_string(value)));
    return add(Value(static_cast<std::int64_t>(value)));
  }
  bool number_float(number_float_t value, const string_t& digits) {
    // The parser falls back to this for integers that are too large for it.
    if (digits.find_first_of(".eE") == string_t::npos) return fail(too_large(digits));
    return add(Value(value));
  }
  bool string(const string_t& value) { return add(Value::string(value)); }
  bool binary(const binary_t&) { return fail("a binary value"); }

  bool start_array(std::size_t) { return open(); }
  bool end_array() {
    Open done = close();
    return add(Value::list(std::move(done.items)));
  }
  bool start_object(std::size_t) { return open(); }
  bool key(const string_t& name) {
    open_.back().key = Value::string(name);
    return true;
  }
  bool end_object() {
    Open done = close();
    return add(Value::dict(std::move(done.entries)));
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    const std::size_t last_read = std::min(position > 0 ? position - 1 : 0, text_.size());
    return fail(compose("{}: {}", place_in_words(text_, last_read), json_fault(error.what())));
  }

 private:
  /// A list or dict that is not complete.
  struct Open {
    std::vector<Value> items;
    std::vector<chat::Dict::Entry> entries;
    Value key;  // of the dict's next entry; undefined for a list
  };

  static std::string too_large(std::string_view digits) {
    return compose("an integer that is too large: {}", quote(digits));
  }
  bool fail(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }
  bool open() {
    if (open_.size() == chat::kMaxValueDepth)
      return fail(compose("nested deeper than {}", chat::kMaxValueDepth));
    open_.emplace_back();
    return true;
  }
  Open close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    return done;
  }
  bool add(Value value) {
    if (open_.empty()) {
      result_ = std::move(value);
    } else if (open_.back().key.is_string()) {
      open_.back().entries.emplace_back(open_.back().key, std::move(value));
    } else {
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }

  std::string_view text_;
  std::vector<Open> open_;
  Value result_;
  std::string fault_;
};

}  // namespace

Value parse_json_value(std::string_view text, const std::string& name) {
  ValueBuilder builder(text);
  if (!nlohmann::json::sax_parse(text, &builder))
    throw Error(ErrorCode::bad_argument, {name, {}, {}}, builder.fault());
  return builder.take();
}

}  // namespace armature::tools
