#include "kernels/cpu.h"

#include <algorithm>

#include "gguf/error.h"
#include "kernels/cpu_detect.h"

namespace armature::cpu {
namespace {

void append(std::string& list, std::string_view separator, std::string_view name) {
  if (!list.empty()) list += separator;
  list += name;
}

std::string names_of_all() {
  std::string names;
  for (const Isa& isa : isas()) append(names, ", ", isa.name);
  return names;
}

const Isa& isa_named(std::string_view name, Features have) {
  const auto found =
      std::find_if(isas().begin(), isas().end(), [=](const Isa& isa) { return isa.name == name; });
  if (found == isas().end())
    throw Error(ErrorCode::bad_argument,
                "unknown instruction set " + quote(name) + "; known: " + names_of_all());
  if (!has(have, found->bit))
    throw Error(ErrorCode::bad_argument, "this machine lacks " + std::string(name) + "; it has " +
                                             describe(have) + "; known: " + names_of_all());
  return *found;
}

/// Of `have`, what a single name leaves.
Features allowed(const Isa& isa, Features have) {
  if (isa.bit == kNone) return kNone;
  if (architecture().names == Names::Set) return have & (isa.bit | kNeon);
  return have & (isa.bit | (isa.bit - 1));  // the levels below have the lower bits
}

}  // namespace

Features detect() {
  static const Features features = ask_machine();
  return features;
}

const std::vector<Isa>& isas() { return architecture().isas; }

Features mask(std::string_view list, Features have) {
  Features left = kNone;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    left |= allowed(isa_named(list.substr(at, end - at), have), have);
    at = end + 1;
  }
  return left;
}

std::string describe(Features features) {
  std::string names;
  for (const Isa& isa : isas())
    if (isa.bit != kNone && has(features, isa.bit)) append(names, " ", isa.name);
  if (names.empty()) return "scalar";
  return names;
}

}  // namespace armature::cpu
