#pragma once

#include <set>
#include <vector>

#include "engine/kernel_plan.h"
#include "kernels/cpu.h"
#include "tools/verify/check.h"

namespace armature::tools::verify {

/// Every row of the kernel table. Those that need more than `have` are not run. `stop` is asked between two.
void check_kernels(cpu::Features have, const std::function<bool()>& stop, const Listener& listener);

/// Checks the rows that runs use.
class PlanChecker {
 public:
  /// The fault of the first row of a plan that has one, with the row's name. Rows that were found right are
  /// not looked at again.
  Fault fault_of(const std::vector<KernelChoice>& plan);

 private:
  std::set<const void*> right_;
};

}  // namespace armature::tools::verify
