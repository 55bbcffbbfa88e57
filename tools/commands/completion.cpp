#include "tools/commands/completion.h"

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/completion.h"
#include "tools/cli/output.h"

namespace armature::tools {
namespace {

std::string script_for(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  throw UsageError(compose("no completion for shell {}; there is bash, zsh and fish", quote(shell)));
}

}  // namespace

int print_completion(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (args.words().size() != 1) throw UsageError("one shell is needed: bash, zsh or fish");
  write_stdout(script_for(args.words().front()));
  return 0;
}

}  // namespace armature::tools
