#include <chrono>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/flags.h"
#include "tools/help.h"
#include "tools/output.h"
#include "tools/run.h"
#include "tools/signals.h"

namespace armature::tools {
namespace {

enum Status { kDone = 0, kFailed = 1, kWrongUsage = 2 };

int run_command(std::span<const std::string_view> words, std::chrono::steady_clock::time_point start) {
  const Arguments args = Arguments::parse(kRun, words);
  if (args.is_on(Option::Help)) {
    write_stdout(run_help());
    return kDone;
  }
  if (args.is_on(Option::Version)) {
    write_stdout(version_line());
    return kDone;
  }
  return run(args, start);
}

int dispatch(std::span<const std::string_view> words, std::chrono::steady_clock::time_point start) {
  if (words.empty()) throw UsageError("no command; armature --help lists them");
  const std::string_view command = words.front();
  if (command == "run") return run_command(words.subspan(1), start);
  if (command == "--help" || command == "-h" || command == "help") {
    write_stdout(program_help());
    return kDone;
  }
  if (command == "--version" || command == "version") {
    write_stdout(version_line());
    return kDone;
  }
  throw UsageError(compose("unknown command {}; the command is run: armature run [OPTIONS]", quote(command)));
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
  return 1;
}
