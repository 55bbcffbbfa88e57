#include "tools/commands/bench.h"

#include <memory>
#include <thread>
#include <utility>

#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/bench/notes.h"
#include "tools/bench/options.h"
#include "tools/bench/printer.h"
#include "tools/bench/session.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/commands/bench_roof.h"
#include "tools/key_overrides.h"
#include "tools/priority.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

using namespace bench;

/// Standard output and, where asked for, a second format on standard error. Heads come with the first row, so
/// that a run that fails at once leaves standard output empty.
class Outputs {
 public:
  Outputs(const BenchOptions& options, std::span<const Test> tests)
      : out_(make_printer(options.output, tests, options.compat)) {
    if (!options.output_err.empty()) err_ = make_printer(options.output_err, tests, options.compat);
  }

  void print(const Record& record) {
    begin();
    write_stdout(out_->row(record));
    if (err_ != nullptr) write_results_to_stderr(err_->row(record));
  }

  /// Makes the formats whole.
  void end() {
    begin();
    write_stdout(out_->foot());
    if (err_ != nullptr) write_results_to_stderr(err_->foot());
  }
  bool has_begun() const { return has_begun_; }

 private:
  void begin() {
    if (std::exchange(has_begun_, true)) return;
    write_stdout(out_->head());
    if (err_ != nullptr) write_results_to_stderr(err_->head());
  }

  std::unique_ptr<Printer> out_, err_;
  bool has_begun_ = false;
};

/// False when it is interrupted.
bool wait(std::chrono::seconds delay) {
  const auto end = std::chrono::steady_clock::now() + delay;
  while (!interrupted() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return !interrupted();
}

/// Returns the exit status.
int run_tests(Session& session, std::span<const Test> tests, std::chrono::seconds delay, Outputs& outputs) {
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const std::string title = compose("test {}/{}, {}", i + 1, tests.size(), label(tests[i]));
    const auto record = wait(delay) ? session.run(tests[i], title) : std::nullopt;
    if (!record) return kInterruptedStatus;
    outputs.print(*record);
  }
  return 0;
}

}  // namespace

int run_benchmarks(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (!args.words().empty())
    throw UsageError("the command takes no words, found " + quote(args.words().front()));
  if (args.is_on(Option::BenchRoof)) return run_roof(args);
  const std::vector<Test> tests = list_tests(read_lists(args));
  const BenchOptions options = read_options(args);
  LoadOptions load_options;
  load_options.features = choose_features(args);
  load_options.overrides = key_overrides(args);
  Session session(options, load_options);
  session.check(tests);
  for (const std::string& line : notes_on(tests, options, n_allowed_cpus()))
    write_stderr_line("note: ", line);
  session.on_load = [&](const LoadedModel& loaded) {
    for (const std::string& line : loaded.notes) write_stderr_line("note: ", line);
    tell_about_model(*loaded.model, args);
  };
  if (const auto refused = set_priorities(args)) write_stderr_line("note: ", *refused);

  Outputs outputs(options, tests);
  try {
    const int status = run_tests(session, tests, options.delay, outputs);
    outputs.end();
    return status;
  } catch (const Error&) {
    if (outputs.has_begun()) outputs.end();
    throw;
  }
}

}  // namespace armature::tools
