#include "tools/commands/help.h"

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/help.h"
#include "tools/cli/llama_help.h"
#include "tools/cli/output.h"

namespace armature::tools {
namespace {

std::string help_text(const Arguments& args) {
  const auto words = args.words();
  if (words.size() > 1) throw UsageError(compose("one subject at a time; found {} too", quote(words[1])));
  if (!words.empty() && words[0] == "llama.cpp")
    return args.is_on(Option::Json) ? llama_json() : llama_table();
  if (args.is_on(Option::Json)) throw UsageError("--json is for help llama.cpp");
  if (words.empty()) return program_help();
  if (const Command* command = find_command(words[0])) return command_help(*command);
  throw UsageError(
      compose("no help about {}; it is about {} and llama.cpp", quote(words[0]), command_names()));
}

}  // namespace

int show_help(const Arguments& args, std::chrono::steady_clock::time_point) {
  write_stdout(help_text(args));
  return 0;
}

}  // namespace armature::tools
