#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "gguf/compose.h"
#include "tools/bench/printer.h"

namespace armature::tools::bench {
namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_value(const Field& field) {
  if (field.kind == Field::Kind::Text) return json_text(field.value);
  if (field.kind == Field::Kind::Boolean) return field.value == "1" ? "true" : "false";
  return field.value;
}

/// With six significant digits, as "%g" has them.
std::string six_digits(double value) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6).ptr;
  return {text.data(), end};
}

std::string samples_ns(const Record& record) {
  std::string list;
  for (const Repetition& repetition : record.repetitions)
    list += compose("{}{}", list.empty() ? "" : ", ", repetition.total().count());
  return list;
}

std::string samples_ts(const Record& record) {
  std::string list;
  for (const double rate : rates(record)) list += compose("{}{}", list.empty() ? "" : ", ", six_digits(rate));
  return list;
}

/// "name: value" pairs with `separator` between them.
std::string pairs(const Record& record, Compat compat, std::string_view separator) {
  std::string text;
  for (const Field& field : fields_of(record, compat))
    text += compose("\"{}\": {}{}", field.name, json_value(field), separator);
  text += compose("\"samples_ns\": [ {} ]{}", samples_ns(record), separator);
  return text + compose("\"samples_ts\": [ {} ]{}", samples_ts(record), separator);
}

class JsonPrinter : public Printer {
 public:
  explicit JsonPrinter(Compat compat) : compat_(compat) {}

  std::string head() override { return "[\n"; }
  std::string row(const Record& record) override {
    const std::string_view before = is_first_ ? "" : ",\n";
    is_first_ = false;
    return compose("{}  {\n    {}\"x\": {}\n  }", before, pairs(record, compat_, ",\n    "),
                   details_json(record, -1));
  }
  std::string foot() override { return is_first_ ? "]\n" : "\n]\n"; }

 private:
  Compat compat_;
  bool is_first_ = true;
};

class JsonlPrinter : public Printer {
 public:
  explicit JsonlPrinter(Compat compat) : compat_(compat) {}

  std::string row(const Record& record) override {
    return compose("{{}\"x\": {}}\n", pairs(record, compat_, ", "), details_json(record, -1));
  }

 private:
  Compat compat_;
};

}  // namespace

std::unique_ptr<Printer> json_printer(Compat compat) { return std::make_unique<JsonPrinter>(compat); }
std::unique_ptr<Printer> jsonl_printer(Compat compat) { return std::make_unique<JsonlPrinter>(compat); }

}  // namespace armature::tools::bench
