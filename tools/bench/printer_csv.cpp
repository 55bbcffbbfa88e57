#include "gguf/compose.h"
#include "tools/bench/printer.h"
#include "tools/cli/quoted_field.h"

namespace armature::tools::bench {
namespace {

class CsvPrinter : public Printer {
 public:
  explicit CsvPrinter(Compat compat) : compat_(compat) {}

  std::string head() override {
    std::string line;
    for (const Field& field : sample_fields(compat_))
      line += compose("{}{}", line.empty() ? "" : ",", field.name);
    return line + "\n";
  }

  std::string row(const Record& record) override {
    std::string line;
    for (const Field& field : fields_of(record, compat_))
      line += compose("{}{}", line.empty() ? "" : ",", quoted_field(field.value, '"'));
    return line + "\n";
  }

 private:
  Compat compat_;
};

}  // namespace

std::unique_ptr<Printer> csv_printer(Compat compat) { return std::make_unique<CsvPrinter>(compat); }

}  // namespace armature::tools::bench
