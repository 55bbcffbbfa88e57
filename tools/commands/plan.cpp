#include "tools/commands/plan.h"

#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/output.h"
#include "tools/cli/units.h"
#include "tools/plan/plan_report.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

PlanReport make_plan(const Model& model, const Arguments& args) {
  const auto n_sequences = static_cast<std::size_t>(args.integer(Option::Parallel));
  const DecoderChoice choice = plan_decoder(model, args, n_sequences);
  if (choice.options.n_ctx < n_sequences)
    throw Error(ErrorCode::bad_argument,
                compose("context of {} positions for {} sequences; each needs one at least",
                        choice.options.n_ctx, n_sequences));
  const LoadOptions load = load_mode(args);
  PlanReport report;
  report.model = {model.path(), model.config().architecture, std::string(model.type_name()),
                  model.config().n_ctx_train};
  report.options = choice.options;
  report.context_reason = choice.context_reason;
  report.threads_reason = choice.threads_reason;
  report.memory = plan_memory(model, choice.options);
  report.weights = model.bytes();
  report.weights_stay_in_files = load.access == gguf::Access::Map && !load.lock;
  report.more_logits = (n_sequences - 1) * model.config().n_vocab * sizeof(float);
  report.available = available_memory();
  report.isa = cpu::describe(model.features());
  report.isa_masked_by = features_masked_by(args);
  report.kernels = plan_kernels(model, args);
  return report;
}

}  // namespace

int plan(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (!args.words().empty())
    throw UsageError("the command takes no words, found " + quote(args.words().front()));
  const auto model = map_model(args);
  tell_about_model(*model, args);
  const PlanReport report = make_plan(*model, args);
  write_stdout(args.is_on(Option::Json) ? to_json(report) : to_text(report));
  if (!report.fits()) {
    throw Error(ErrorCode::out_of_memory,
                compose("{} must be allocated, {} are available; a smaller context needs less",
                        size_text(report.needed()), size_text(report.available)));
  }
  check_memory(report.memory, report.available);
  return 0;
}

}  // namespace armature::tools
