#include "tools/verify/check.h"

#include <utility>

namespace armature::tools::verify {

Check make_check(std::string area, std::string subject, Fault fault) {
  const Verdict verdict = fault ? Verdict::Wrong : Verdict::Right;
  return {std::move(area), std::move(subject), verdict, fault ? std::move(*fault) : std::string()};
}

Check not_run(std::string area, std::string subject, std::string why) {
  return {std::move(area), std::move(subject), Verdict::NotRun, std::move(why)};
}

}  // namespace armature::tools::verify
