#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/thread_options.h"
#include "tools/cli/flags.h"

/// Where threads run, by -C, -Cr, --cpu-strict, their forms for the prompt, --numa and --poll.
namespace armature::tools {

/// The CPUs of a hexadecimal mask, with or without "0x": bit i stands for CPU i. Ascending; empty for what is
/// no mask or has no bit set.
CpuList parse_cpu_mask(std::string_view text);
/// "FIRST-LAST", where one of them may be missing: it is then the first or last of `allowed`. Empty for what
/// is no range.
CpuList parse_cpu_range(std::string_view text, const CpuList& allowed);

struct Machine {
  CpuList allowed;             // CPUs that the program may run on
  std::vector<CpuList> nodes;  // those of each NUMA node
  std::size_t current = 0;     // CPU that the program runs on
};
Machine this_machine();

/// Throws UsageError, naming the flag, for a CPU that is not among the allowed ones.
void require_allowed(const CpuList& cpus, std::string_view flag, const CpuList& allowed);
/// Where threads go that may run on these CPUs: the places of --numa's word, or one for all; where `strict`
/// is set, one for each CPU.
std::vector<CpuList> places_of(const CpuList& cpus, std::string_view numa, bool strict,
                               const Machine& machine);

struct Placement {
  ThreadOptions threads;
  CpuList cpus;            // of all places; empty where the user did not choose
  std::string chosen;      // by which flags: "-C"
  bool by_number = false;  // a mask or range names them: there is to be a thread for each
};
/// For passes with few rows, or for the prompt. Throws UsageError for masks and ranges that are malformed or
/// name a CPU that is not allowed.
Placement choose_placement(const Arguments& args, const Machine& machine, bool prompt);
/// What the user should know of choices that make no difference on this machine.
std::vector<std::string> placement_notes(const Arguments& args, const Machine& machine);

}  // namespace armature::tools
