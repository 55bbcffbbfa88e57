#include <chrono>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/commands.h"
#include "tools/cli/completion.h"
#include "tools/cli/flags.h"
#include "tools/cli/help.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"

namespace armature::tools {
namespace {

enum Status { kDone = 0, kFailed = 1, kWrongUsage = 2 };

void tell_environment(const Arguments& args) {
  for (const std::string& line : args.environment()) write_stderr_line("environment: ", line);
}

int run_command(const Command& command, std::span<const std::string_view> words,
                std::chrono::steady_clock::time_point start) {
  Arguments args = Arguments::parse(command.bit, words);
  if (args.is_on(Option::Help)) {
    write_stdout(command_help(command));
    return kDone;
  }
  if (args.is_on(Option::Version)) {
    write_stdout(version_line());
    return kDone;
  }
  if (args.is_on(Option::CompletionBash)) {
    write_stdout(bash_completion());
    return kDone;
  }
  args.read_environment(command.bit, system_variable);
  if (!args.is_on(Option::LogDisable)) {
    for (const std::string& line : args.notes()) write_stderr_line("note: ", line);
  }
  if (args.is_on(Option::Verbose)) tell_environment(args);
  try {
    return command.run(args, start);
  } catch (const Error&) {
    if (!args.is_on(Option::Verbose)) tell_environment(args);
    throw;
  }
}

int dispatch(std::span<const std::string_view> words, std::chrono::steady_clock::time_point start) {
  if (words.empty()) throw UsageError("no command; armature --help lists them");
  const std::string_view name = words.front();
  if (const Command* command = find_command(name)) return run_command(*command, words.subspan(1), start);
  if (name == "--help" || name == "-h" || name == "--usage") {
    write_stdout(program_help());
    return kDone;
  }
  if (name == "--version" || name == "version") {
    write_stdout(version_line());
    return kDone;
  }
  throw UsageError(compose("unknown command {}; commands are {}", quote(name), command_names()));
}

int fail(Status status, std::string_view message) {
  write_stderr_line("error: ", message);
  return status;
}

int guarded(std::span<const std::string_view> words, std::chrono::steady_clock::time_point start) try {
  check_standard_streams();
  install_signal_handlers();
  return dispatch(words, start);
} catch (const UsageError& error) {
  return fail(kWrongUsage, error.what());
} catch (const ReaderLeft&) {
  return kFailed;
} catch (const Interrupted&) {
  return kInterruptedStatus;
} catch (const std::bad_alloc&) {
  return fail(kFailed, "out of memory");
} catch (const std::exception& error) {
  return fail(kFailed, error.what());
}

}  // namespace
}  // namespace armature::tools

int main(int argc, char** argv) try {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return armature::tools::guarded(words, start);
} catch (...) {  // only the list of arguments can fail here
  return armature::tools::fail(armature::tools::kFailed, "out of memory");
}
