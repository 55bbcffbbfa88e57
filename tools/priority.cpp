#include "tools/priority.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "engine/machine_text.h"
#include "gguf/compose.h"

namespace armature::tools {
namespace {

/// Nice values; equal where --prio-batch makes no difference.
struct Priorities {
  int usual = 0, prompt = 0;
};
Priorities priorities;

/// What --prio -1, 0, ... 3 adds to the nice value that the program was started with.
int nice_of(std::int64_t level, int started_with) {
  constexpr std::array<int, 5> kSteps = {5, 0, -5, -10, -20};
  return std::clamp(started_with + kSteps[static_cast<std::size_t>(level + 1)], -20, 19);
}

bool set_nice(int thread, int value) {
  return ::setpriority(PRIO_PROCESS, static_cast<id_t>(thread), value) == 0;
}

void set_nice_of_all(int value) {
  machine::for_each_name("/proc/self/task", [&](std::string_view name) {
    if (const auto thread = machine::parse<int>(name)) set_nice(*thread, value);
  });
}

/// Whether a thread may go from one nice value to the other and back; tried by one that ends afterwards.
bool can_alternate(int a, int b) {
  bool can = false;
  std::thread([&] { can = set_nice(0, std::max(a, b)) && set_nice(0, std::min(a, b)); }).join();
  return can;
}

}  // namespace

std::optional<std::string> set_priorities(const Arguments& args) {
  const int started_with = ::getpriority(PRIO_PROCESS, 0);
  const int usual = nice_of(args.integer(Option::Priority), started_with);
  const int prompt = args.is_given(Option::PriorityBatch)
                         ? nice_of(args.integer(Option::PriorityBatch), started_with)
                         : usual;
  if (usual != started_with && !set_nice(0, usual))
    return compose("{}: the system refuses nice value {} ({})", args.name_of(Option::Priority), usual,
                   std::strerror(errno));
  priorities = {usual, usual};
  if (prompt != usual && !can_alternate(usual, prompt))
    return compose("{}: the system does not let threads go from nice value {} to {} and back",
                   args.name_of(Option::PriorityBatch), usual, prompt);
  priorities.prompt = prompt;
  return std::nullopt;
}

PromptPriority::PromptPriority() {
  if (priorities.prompt != priorities.usual) set_nice_of_all(priorities.prompt);
}

PromptPriority::~PromptPriority() {
  if (priorities.prompt != priorities.usual) set_nice_of_all(priorities.usual);
}

}  // namespace armature::tools
