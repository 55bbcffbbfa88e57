#include "tools/commands/verify.h"

#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/bench/host.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/setup.h"
#include "tools/verify/kernels.h"
#include "tools/verify/model.h"
#include "tools/verify/report.h"
#include "tools/verify/text.h"

namespace armature::tools {
namespace {

using namespace verify;

std::size_t threads(const Arguments& args) {
  const bool is_auto = args.text(Option::Threads) == "auto" || args.text(Option::Threads) == "-1";
  return is_auto ? choose_threads().n_threads : static_cast<std::size_t>(args.integer(Option::Threads));
}

/// With what is wrong on standard error as soon as it is found.
Report look(const std::shared_ptr<const Model>& model, const Arguments& args) {
  Report report;
  report.cpu = bench::read_host().cpu_info;
  report.features = cpu::describe(model->features());
  report.model = model->path();
  const Listener listener = [&](const Check& check) {
    if (check.verdict == Verdict::Wrong)
      write_stderr_line("wrong: ", compose("{}, {}: {}", check.area, check.subject, check.finding));
    report.checks.push_back(check);
  };
  check_kernels(model->features(), interrupted, listener);
  if (!interrupted()) check_tokenizer(model->tokenizer(), listener);
  const auto reload = [&](cpu::Features features) { return map_model(args, features); };
  check_model(model, threads(args), reload, interrupted, listener);
  report.complete = !interrupted();
  return report;
}

}  // namespace

int verify_machine(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (!args.words().empty())
    throw UsageError(
        compose("the command takes no words, found {}; -m FILE gives a model", quote(args.words().front())));
  const auto model = map_model(args);
  tell_about_model(*model, args);
  const Report report = look(model, args);
  write_stdout(args.is_on(Option::Json) ? to_json(report) : to_text(report, args.is_on(Option::Verbose)));
  if (!report.complete) return kInterruptedStatus;
  return report.n_wrong() > 0 ? 1 : 0;
}

}  // namespace armature::tools
