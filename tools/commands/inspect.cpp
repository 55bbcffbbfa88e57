#include "tools/commands/inspect.h"

#include <optional>
#include <string>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/inspect/inspection.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

/// The file of -m or the word, if there is one; a variable counts where there is neither.
std::optional<std::string> path_of(const Arguments& args) {
  const bool by_word = !args.words().empty() && args.is_from_environment(Option::Model);
  const bool by_flag = args.is_given(Option::Model) && !by_word;
  if (args.words().size() > (by_flag ? 0 : 1))
    throw UsageError(compose("one file at a time; found {} too", quote(args.words().back())));
  if (!args.words().empty() && args.words().front().empty())
    throw UsageError("the name of the file is empty");
  if (by_flag) return std::string(args.text(Option::Model));
  return args.words().empty() ? std::nullopt : std::optional(args.words().front());
}

}  // namespace

int inspect(const Arguments& args, std::chrono::steady_clock::time_point) {
  const std::optional<std::string> path = path_of(args);
  const cpu::Features features = choose_features(args);
  const gguf::ModelFiles files = open_model_files(path, args);
  const Inspection inspection = inspect_files(files, features);
  if (interrupted()) return kInterruptedStatus;
  const bool full = args.is_on(Option::FullArrays);
  const TextOptions text{full, args.is_on(Option::Verbose), std::string(features_masked_by(args))};
  write_stdout(args.is_on(Option::Json) ? to_json(inspection, full) : to_text(inspection, text));
  return 0;
}

}  // namespace armature::tools
