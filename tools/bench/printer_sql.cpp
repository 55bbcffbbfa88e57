#include "gguf/compose.h"
#include "tools/bench/printer.h"
#include "tools/cli/quoted_field.h"

namespace armature::tools::bench {
namespace {

std::string_view type_of(Field::Kind kind) {
  if (kind == Field::Kind::Text) return "TEXT";
  return kind == Field::Kind::Real ? "REAL" : "INTEGER";
}

class SqlPrinter : public Printer {
 public:
  explicit SqlPrinter(Compat compat) : compat_(compat) {}

  std::string head() override {
    std::string columns;
    for (const Field& field : sample_fields(compat_))
      columns += compose("{}  {} {}", columns.empty() ? "" : ",\n", field.name, type_of(field.kind));
    return compose("CREATE TABLE IF NOT EXISTS llama_bench (\n{}\n);\n\n", columns);
  }

  std::string row(const Record& record) override {
    std::string names, values;
    for (const Field& field : fields_of(record, compat_)) {
      const std::string_view separator = names.empty() ? "" : ", ";
      names += compose("{}{}", separator, field.name);
      values += compose("{}{}", separator, quoted_field(field.value, '\''));
    }
    return compose("INSERT INTO llama_bench ({}) VALUES ({});\n", names, values);
  }

 private:
  Compat compat_;
};

}  // namespace

std::unique_ptr<Printer> sql_printer(Compat compat) { return std::make_unique<SqlPrinter>(compat); }

}  // namespace armature::tools::bench
