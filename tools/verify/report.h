#pragma once

#include <string>
#include <vector>

#include "tools/verify/check.h"

namespace armature::tools::verify {

/// What was looked at, and where.
struct Report {
  std::string cpu, features, model;
  std::vector<Check> checks;
  bool complete = true;  // not interrupted

  std::size_t n_wrong() const;
  std::size_t n_run() const;
};

/// Of each area how many checks are right, and all that is wrong; with `all` every check.
std::string to_text(const Report& report, bool all);
/// One object: "cpu", "features", "model", "right" (true or false), "complete", and "checks", each with
/// "area", "subject", "verdict" ("right", "wrong" or "not run") and "finding" where there is one.
std::string to_json(const Report& report);

}  // namespace armature::tools::verify
