#include "tools/cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "gguf/compose.h"
#include "tools/cli/terminal.h"

namespace armature::tools {
namespace {

using namespace std::chrono_literals;

constexpr auto kSilence = 1s;
constexpr auto kPeriod = 200ms;
constexpr std::string_view kErase = "\r\x1b[K";

/// Faults are ignored: there is nowhere left to tell them.
void write_stderr(std::string_view text) {
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()));
}

}  // namespace

Progress::Progress(std::string what, std::size_t total, std::string unit)
    : what_(std::move(what)), unit_(std::move(unit)), total_(total) {
  if (!can_redraw(STDERR_FILENO)) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // no thread to be had: then no line either
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_one();
  thread_.join();
}

void Progress::run() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  if (ending_.wait_for(lock, kSilence, [this] { return ended_; })) return;
  do {
    const auto time = std::chrono::steady_clock::now() - start;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    write_stderr(compose("{}{}", kErase, line(static_cast<std::size_t>(seconds))));
  } while (!ending_.wait_for(lock, kPeriod, [this] { return ended_; }));
  write_stderr(kErase);
}

/// Cut to the terminal's width, less the last column, where some would begin a new line.
std::string Progress::line(std::size_t seconds) const {
  const std::string text = total_ == 0 ? compose("{}: {} s", what_, seconds)
                                       : compose("{}: {} of {} {}", what_, done_.load(), total_, unit_);
  return text.substr(0, terminal_width(STDERR_FILENO) - 1);
}

}  // namespace armature::tools
