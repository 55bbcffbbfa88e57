#pragma once

#include <optional>
#include <string>

#include "tools/cli/flags.h"

/// The priorities of --prio and --prio-batch. Process-wide state, set before the threads are made.
namespace armature::tools {

/// Gives the calling thread, and with it those that it makes, the priority of --prio. Returns what the system
/// refuses, as a line.
std::optional<std::string> set_priorities(const Arguments& args);

/// While one lives, all threads of the process have the priority of --prio-batch, if that is another one.
class PromptPriority {
 public:
  PromptPriority();
  ~PromptPriority();
  PromptPriority(const PromptPriority&) = delete;
  PromptPriority& operator=(const PromptPriority&) = delete;
};

}  // namespace armature::tools
