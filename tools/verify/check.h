#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/verify/fault.h"

namespace armature::tools::verify {

enum class Verdict : std::uint8_t { Right, Wrong, NotRun };

/// One thing that was looked at.
struct Check {
  std::string area;     // "kernels, avx2", "tokenizer", "model"
  std::string subject;  // "matmul Q4_0 Q8_32"
  Verdict verdict = Verdict::Right;
  std::string finding;  // what is wrong, or why it was not run; empty when it is right
};
Check make_check(std::string area, std::string subject, Fault fault);
Check not_run(std::string area, std::string subject, std::string why);

/// Told of each check when it is done.
using Listener = std::function<void(const Check&)>;

}  // namespace armature::tools::verify
