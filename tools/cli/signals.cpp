#include "tools/cli/signals.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "gguf/error.h"
#include "tools/cli/output.h"

namespace armature::tools {
namespace {

std::atomic<bool> interrupt_seen = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// What the SIGBUS handler knows: built outside of it and then never changed or freed, since the handler may
/// run at any time.
struct Watch {
  struct Range {
    const std::byte* begin;
    const std::byte* end;
    std::string message;
  };
  std::vector<Range> ranges;
};
std::atomic<const Watch*> watch = nullptr;
static_assert(std::atomic<const Watch*>::is_always_lock_free);

std::string message_for(const std::string& file) {
  const Error error(ErrorCode::file_changed, {file, {}, {}}, "the file changed while it was mapped");
  return error.what();
}

void on_interrupt(int) {
  if (interrupt_seen.exchange(true)) ::_exit(kInterruptedStatus);
}

void on_bus_error(int signal, siginfo_t* info, void*) {
  const Watch* known = watch.load();
  if (known != nullptr && info->si_code == BUS_ADRERR) {
    const auto* at = static_cast<const std::byte*>(info->si_addr);
    for (const Watch::Range& range : known->ranges) {
      if (at < range.begin || at >= range.end) continue;
      write_stderr_line("error: ", range.message);
      ::_exit(1);
    }
  }
  ::signal(signal, SIG_DFL);  // the access is repeated on return, and ends the process as usual
}

void publish(std::vector<Watch::Range> ranges) {
  static std::vector<std::unique_ptr<const Watch>> all;  // the ones replaced too: a handler may be in them
  all.push_back(std::make_unique<const Watch>(Watch{std::move(ranges)}));
  watch.store(all.back().get());
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action = {};
  ::sigemptyset(&action.sa_mask);
  action.sa_handler = on_interrupt;  // without SA_RESTART, so that reading a prompt from a pipe ends
  ::sigaction(SIGINT, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
  ::sigaction(SIGXFSZ, &action, nullptr);
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = on_bus_error;
  ::sigaction(SIGBUS, &action, nullptr);
}

bool interrupted() noexcept { return interrupt_seen.load(); }
void forget_interrupt() noexcept { interrupt_seen.store(false); }

void watch_file_being_mapped(const std::string& file) {
  const auto* last = reinterpret_cast<const std::byte*>(UINTPTR_MAX);
  publish({{nullptr, last, message_for(file)}});
}

void watch_mapped_ranges(const std::vector<MappedRange>& mapped) {
  std::vector<Watch::Range> ranges;
  for (const MappedRange& range : mapped) {
    const std::byte* begin = range.bytes.data();
    ranges.push_back({begin, begin + range.bytes.size(), message_for(range.file)});
  }
  publish(std::move(ranges));
}

}  // namespace armature::tools
