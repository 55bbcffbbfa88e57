#include <algorithm>
#include <cassert>

#include "gguf/compose.h"
#include "tools/bench/build_info.h"
#include "tools/bench/printer.h"
#include "tools/bench/statistics.h"
#include "tools/cli/units.h"
#include "tools/setup.h"

namespace armature::tools::bench {
namespace {

std::string size_of(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fixed(mib, 2) + " MiB" : fixed(mib / 1024, 2) + " GiB";
}

std::string count_of(std::uint64_t n) {
  const double millions = static_cast<double>(n) / 1e6;
  return millions < 1000 ? fixed(millions, 2) + " M" : fixed(millions / 1000, 2) + " B";
}

std::string speed_of(const Record& r) {
  const std::vector<double> speeds = rates(r);
  return compose("{} ± {}", fixed(mean(speeds), 2), fixed(standard_deviation(speeds), 2));
}

/// A column: a field, or what `cell` makes of the record.
struct Column {
  std::string_view name;
  std::size_t width;
  bool is_text;  // ends at the left
  std::string_view field;
  std::string (*cell)(const Record&) = nullptr;
  /// Shown if it says so of one of the tests; null: always.
  bool (*is_shown)(const Test&) = nullptr;
};

// Names and widths are llama-bench's.
constexpr Column kFirstColumns[] = {
    {"model", 30, true, "model_type"},
    {"size", 10, false, {}, [](const Record& r) { return size_of(r.model.bytes); }},
    {"params", 10, false, {}, [](const Record& r) { return count_of(r.model.n_params); }},
    {"backend", 10, true, "backends"},
    {"threads", 7, false, "n_threads"},
    {"cpu_mask", 10, true, "cpu_mask", nullptr, [](const Test& t) { return t.cpu_mask != Test().cpu_mask; }},
    {"cpu_strict", 10, false, "cpu_strict", nullptr, [](const Test& t) { return t.cpu_strict; }},
    {"poll", 10, false, "poll", nullptr, [](const Test& t) { return t.poll != Test().poll; }},
    {"n_batch", 7, false, "n_batch", nullptr, [](const Test& t) { return t.n_batch != Test().n_batch; }},
    {"n_ubatch", 8, false, "n_ubatch", nullptr, [](const Test& t) { return t.n_ubatch != Test().n_ubatch; }},
    {"type_k", 6, false, "type_k", nullptr, [](const Test& t) { return t.type_k != Test().type_k; }},
    {"type_v", 6, false, "type_v", nullptr, [](const Test& t) { return t.type_v != Test().type_v; }},
    {"fa", 3, false, "flash_attn", nullptr, [](const Test& t) { return t.flash_attn != Test().flash_attn; }},
};
constexpr Column kLoadMode = {
    "lm", 10, false, "load_mode", nullptr, [](const Test& t) { return t.load_mode != Test().load_mode; }};
constexpr Column kMmap = {
    "mmap",     10,      false,
    "use_mmap", nullptr, [](const Test& t) { return load_options(t.load_mode).access != gguf::Access::Map; }};
constexpr Column kLastColumns[] = {
    {"test", 15, false, {}, [](const Record& r) { return label(r.test); }},
    {"t/s", 20, false, {}, speed_of},
};

/// A character counts as one place.
std::string padded(std::string_view text, const Column& column) {
  const auto places = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  const std::string space(column.width - std::min(column.width, places), ' ');
  return column.is_text ? compose("{}{}", text, space) : compose("{}{}", space, text);
}

class MarkdownPrinter : public Printer {
 public:
  MarkdownPrinter(std::span<const Test> tests, Compat compat) : compat_(compat) {
    const auto add = [&](const Column& column) {
      if (column.is_shown == nullptr || std::any_of(tests.begin(), tests.end(), column.is_shown))
        columns_.push_back(&column);
    };
    for (const Column& column : kFirstColumns) add(column);
    add(compat == Compat::Year2026 ? kLoadMode : kMmap);
    for (const Column& column : kLastColumns) add(column);
  }

  std::string head() override {
    std::string names = "|", rule = "|";
    for (const Column* column : columns_) {
      names += compose(" {} |", padded(column->name, *column));
      rule += compose(" {}{} |", std::string(column->width - 1, '-'), column->is_text ? "-" : ":");
    }
    return compose("{}\n{}\n", names, rule);
  }

  std::string row(const Record& record) override {
    const std::vector<Field> fields = fields_of(record, compat_);
    std::string line = "|";
    for (const Column* column : columns_) {
      const std::string cell =
          column->cell != nullptr ? column->cell(record) : value_of(fields, column->field);
      line += compose(" {} |", padded(cell, *column));
    }
    return line + "\n";
  }

  std::string foot() override { return compose("\nbuild: {} ({})\n", build_commit(), build_number()); }

 private:
  static std::string value_of(std::span<const Field> fields, std::string_view name) {
    const auto found =
        std::find_if(fields.begin(), fields.end(), [name](const Field& field) { return field.name == name; });
    assert(found != fields.end());
    return found->value;
  }

  Compat compat_;
  std::vector<const Column*> columns_;
};

}  // namespace

std::unique_ptr<Printer> markdown_printer(std::span<const Test> tests, Compat compat) {
  return std::make_unique<MarkdownPrinter>(tests, compat);
}

}  // namespace armature::tools::bench
