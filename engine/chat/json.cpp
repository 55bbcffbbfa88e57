#include "engine/chat/json.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/chat/operators.h"
#include "engine/chat/print.h"
#include "engine/chat/utf8.h"

namespace armature::chat {
namespace {

using Origin = Text::Origin;

/// \uXXXX, twice for a character beyond the first 65536.
std::string unicode_escape(char32_t character) {
  const auto escape = [](char32_t unit) {
    constexpr char kHex[] = "0123456789abcdef";
    return std::string("\\u") + kHex[unit >> 12 & 15] + kHex[unit >> 8 & 15] + kHex[unit >> 4 & 15] +
           kHex[unit & 15];
  };
  if (character < 0x10000) return escape(character);
  const char32_t above = character - 0x10000;
  return escape(0xd800 + (above >> 10)) + escape(0xdc00 + (above & 0x3ff));
}

/// Empty for a character that stays as it is.
std::string escape_of(char32_t character, bool ascii) {
  switch (character) {
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
  const bool stays = character >= 0x20 && (character < 0x7f || !ascii);
  return stays ? std::string() : unicode_escape(character);
}

class JsonPrinter {
 public:
  JsonPrinter(TextBuilder& out, const JsonStyle& style) : out_(out), style_(style) {}

  void print_value(const Value& value) {
    out_.context().charge_values(1);
    if (const Text* text = value.as_text()) {
      print_string(*text);
    } else if (const List* list = value.as_list()) {
      print_items('[', ']', list->items().size(), [&](std::size_t i) { print_value(list->items()[i]); });
    } else if (const Dict* dict = value.as_dict()) {
      std::vector<Dict::Entry> sorted;
      const auto& entries = style_.sorted ? (sorted = sorted_by_key(*dict)) : dict->entries();
      print_items('{', '}', entries.size(), [&](std::size_t i) { print_entry(entries[i]); });
    } else {
      print_scalar(value);
    }
  }

 private:
  std::vector<Dict::Entry> sorted_by_key(const Dict& dict) {
    out_.context().charge_values(dict.entries().size());
    std::vector<Dict::Entry> entries = dict.entries();
    std::stable_sort(entries.begin(), entries.end(), [this](const auto& a, const auto& b) {
      return order(out_.context(), a.first, b.first).value_or(0) < 0;
    });
    return entries;
  }

  void print_entry(const Dict::Entry& entry) {
    if (const Text* text = entry.first.as_text()) {
      print_string(*text);
    } else {
      out_.append("\"");
      print_scalar(entry.first);
      out_.append("\"");
    }
    out_.append(style_.key_separator);
    print_value(entry.second);
  }

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
      if (i > 0) out_.append(style_.item_separator);
      new_line();
      print_item(i);
    }
    --depth_;
    if (count > 0) new_line();
    out_.append({&close, 1});
  }

  void new_line() {
    if (!style_.indent) return;
    out_.append("\n");
    const std::string spaces(*style_.indent, ' ');
    for (std::size_t i = 0; i < depth_; ++i) out_.append(spaces);
  }

  void print_string(const Text& text) {
    const std::string& bytes = text.bytes();
    out_.context().charge(bytes.size());
    out_.append("\"");
    std::size_t done = 0;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t next = at + character_length(bytes, at);
      const std::string escape = escape_of(decode_character(bytes, at), style_.ascii);
      if (!escape.empty()) {
        out_.append(text, {done, at});
        out_.append(escape, Origin::input);
        done = next;
      }
      at = next;
    }
    out_.append(text, {done, bytes.size()});
    out_.append("\"");
  }

  TextBuilder& out_;
  const JsonStyle& style_;
  std::size_t depth_ = 0;
};

}  // namespace

void print_json(TextBuilder& out, const Value& value, const JsonStyle& style) {
  JsonPrinter(out, style).print_value(value);
}

}  // namespace armature::chat
