#include "engine/chat/print.h"

#include <charconv>
#include <cmath>

namespace armature::chat {
namespace {

using Origin = Text::Origin;

/// Python's repr() of a string: single quotes unless only those occur in it.
void print_quoted(TextBuilder& out, const Text& text) {
  const std::string& bytes = text.bytes();
  out.context().charge(bytes.size());
  const bool single = bytes.find('\'') == std::string::npos || bytes.find('"') != std::string::npos;
  const char quote = single ? '\'' : '"';
  out.append({&quote, 1});
  std::size_t done = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    const std::string_view escape = c == '\n'              ? "\\n"
                                    : c == '\r'            ? "\\r"
                                    : c == '\t'            ? "\\t"
                                    : c == '\\'            ? "\\\\"
                                    : c == quote && single ? "\\'"
                                                           : "";
    if (escape.empty()) continue;
    out.append(text, {done, i});
    out.append(escape, Origin::input);
    done = i + 1;
  }
  out.append(text, {done, bytes.size()});
  out.append({&quote, 1});
}

void print_nested(TextBuilder& out, const Value& value) {
  out.context().charge_values(1);
  if (const Text* text = value.as_text()) {
    print_quoted(out, *text);
  } else if (value.is_undefined()) {
    out.append("Undefined");
  } else {
    print(out, value);
  }
}

void print_list(TextBuilder& out, const List& list) {
  out.append(list.is_tuple() ? "(" : "[");
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    if (i > 0) out.append(", ");
    print_nested(out, list.items()[i]);
  }
  if (list.is_tuple() && list.items().size() == 1) out.append(",");
  out.append(list.is_tuple() ? ")" : "]");
}

void print_dict(TextBuilder& out, const Dict& dict) {
  out.append("{");
  for (std::size_t i = 0; i < dict.entries().size(); ++i) {
    if (i > 0) out.append(", ");
    print_nested(out, dict.entries()[i].first);
    out.append(": ");
    print_nested(out, dict.entries()[i].second);
  }
  out.append("}");
}

}  // namespace

std::string float_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific);
  const std::string scientific(buffer, written.ptr);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  if (exponent < -4 || exponent >= 16) return scientific;  // Python's bounds for repr()
  char fixed[64];
  const auto end = std::to_chars(fixed, fixed + sizeof fixed, number, std::chars_format::fixed);
  std::string text(fixed, end.ptr);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

void print(TextBuilder& out, const Value& value) {
  if (const Text* text = value.as_text()) {
    out.append(*text);
  } else if (value.is_none()) {
    out.append("None");
  } else if (const bool* flag = value.as_bool()) {
    out.append(*flag ? "True" : "False");
  } else if (const std::int64_t* integer = value.as_int()) {
    out.append(std::to_string(*integer));
  } else if (const double* number = value.as_float()) {
    out.append(float_text(*number));
  } else if (const List* list = value.as_list()) {
    print_list(out, *list);
  } else if (const Dict* dict = value.as_dict()) {
    print_dict(out, *dict);
  } else if (const Object* object = value.as_object()) {
    out.append("<" + std::string(object->kind()) + ">");
  }
}

Text to_text(Context& context, const Value& value) {
  TextBuilder out(context);
  print(out, value);
  return out.take();
}

}  // namespace armature::chat
