#include "tools/bench/thread_plan.h"

#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools::bench {
namespace {

/// Whether the mask has no bit set: it then chooses nothing.
bool is_zero_mask(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return !text.empty() && text.find_first_not_of('0') == text.npos;
}

CpuList masked_cpus(const std::string& mask, const CpuList& allowed) {
  if (is_zero_mask(mask)) return {};
  CpuList cpus = parse_cpu_mask(mask);
  if (cpus.empty())
    throw UsageError(
        compose("-C: value {}; allowed: hexadecimal masks, e.g. 3 or 0x3; 0: any CPU", quote(mask)));
  require_allowed(cpus, "-C", allowed);
  return cpus;
}

}  // namespace

ThreadPlan plan_threads(const Test& test, std::string_view numa, const Machine& machine) {
  ThreadPlan plan;
  plan.options.poll = test.poll;
  const CpuList masked = masked_cpus(test.cpu_mask, machine.allowed);
  const bool by_node = machine.nodes.size() > 1 && (numa == "distribute" || numa == "isolate");
  if (!masked.empty() || by_node)
    plan.options.places =
        places_of(masked.empty() ? machine.allowed : masked, by_node ? numa : "", test.cpu_strict, machine);
  if (test.n_threads > 0) {
    plan.n_threads = test.n_threads;
    plan.reason =
        compose("as asked; {} allowed",
                machine.allowed.size() == 1 ? "1 CPU is" : compose("{} CPUs are", machine.allowed.size()));
  } else if (!masked.empty()) {
    plan.n_threads = masked.size();
    plan.reason = compose("{} of -C", masked.size() == 1 ? "1 CPU" : compose("{} CPUs", masked.size()));
  } else {
    ThreadChoice choice = choose_threads();
    plan.n_threads = choice.n_threads;
    plan.reason = std::move(choice.reason);
  }
  return plan;
}

}  // namespace armature::tools::bench
