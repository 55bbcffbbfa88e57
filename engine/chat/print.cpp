#include "engine/chat/print.h"

#include <charconv>
#include <cmath>

#include "engine/chat/utf8.h"

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
  out.append("[");
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    if (i > 0) out.append(", ");
    print_nested(out, list.items()[i]);
  }
  out.append("]");
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

class JsonPrinter {
 public:
  JsonPrinter(TextBuilder& out, std::optional<std::size_t> indent) : out_(out), indent_(indent) {}

  void print_value(const Value& value) {
    out_.context().charge_values(1);
    if (const Text* text = value.as_text()) {
      print_string(*text);
    } else if (const List* list = value.as_list()) {
      print_items('[', ']', list->items().size(), [&](std::size_t i) { print_value(list->items()[i]); });
    } else if (const Dict* dict = value.as_dict()) {
      print_items('{', '}', dict->entries().size(), [&](std::size_t i) {
        print_string(*dict->entries()[i].first.as_text());
        out_.append(": ");
        print_value(dict->entries()[i].second);
      });
    } else {
      print_scalar(value);
    }
  }

 private:
  void print_scalar(const Value& value) {
    if (value.is_none()) {
      out_.append("null");
    } else if (const bool* flag = value.as_bool()) {
      out_.append(*flag ? "true" : "false");
    } else if (const double* number = value.as_float(); number && !std::isfinite(*number)) {
      out_.append(std::isnan(*number) ? "NaN" : *number > 0 ? "Infinity" : "-Infinity");
    } else if (value.as_int() || value.as_float()) {
      print(out_, value);
    } else {
      out_.context().fail("JSON cannot hold " + describe(value));
    }
  }

  template <class PrintItem>
  void print_items(char open, char close, std::size_t count, PrintItem print_item) {
    out_.append({&open, 1});
    ++depth_;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_.append(indent_ ? "," : ", ");
      new_line();
      print_item(i);
    }
    --depth_;
    if (count > 0) new_line();
    out_.append({&close, 1});
  }

  void new_line() {
    if (!indent_) return;
    out_.append("\n");
    const std::string spaces(*indent_, ' ');
    for (std::size_t i = 0; i < depth_; ++i) out_.append(spaces);
  }

  void print_string(const Text& text) {
    const std::string& bytes = text.bytes();
    out_.context().charge(bytes.size());
    out_.append("\"");
    std::size_t done = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::string escape = escape_of(bytes[i]);
      if (escape.empty()) continue;
      out_.append(text, {done, i});
      out_.append(escape, Origin::input);
      done = i + 1;
    }
    out_.append(text, {done, bytes.size()});
    out_.append("\"");
  }

  /// Empty for a byte that stays as it is.
  static std::string escape_of(char c) {
    switch (c) {
      case '"':
        return "\\\"";
      case '\\':
        return "\\\\";
      case '\n':
        return "\\n";
      case '\r':
        return "\\r";
      case '\t':
        return "\\t";
      case '\b':
        return "\\b";
      case '\f':
        return "\\f";
      default:
        break;
    }
    constexpr char kHex[] = "0123456789abcdef";
    if (static_cast<unsigned char>(c) >= 0x20) return {};
    return std::string("\\u00") + kHex[c >> 4] + kHex[c & 15];
  }

  TextBuilder& out_;
  std::optional<std::size_t> indent_;
  std::size_t depth_ = 0;
};

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

void print_json(TextBuilder& out, const Value& value, std::optional<std::size_t> indent) {
  JsonPrinter(out, indent).print_value(value);
}

}  // namespace armature::chat
