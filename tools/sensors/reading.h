#pragma once

#include <optional>
#include <string>

namespace armature::tools {

/// A number, or why there is none.
struct Reading {
  std::optional<double> value;
  std::string reason = {};  // why there is no value, or what is wrong with it
  std::string source = {};  // where the value comes from, if that needs telling
};

}  // namespace armature::tools
