#include "tools/synth/names.h"

#include <algorithm>
#include <string>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/edit_distance.h"

namespace armature::tools::synth {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return text;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) { return lowered(a) == lowered(b); }

UsageError unknown_name(std::string_view what, std::string_view name,
                        std::span<const std::string_view> known) {
  std::string list;
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const std::string_view candidate : known) {
    list += compose("{}{}", list.empty() ? "" : ", ", candidate);
    const std::size_t distance = edit_distance(lowered(name), lowered(candidate));
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  const std::string hint = nearest.empty() ? "" : compose("the nearest is {}; ", nearest);
  return UsageError(compose("unknown {} {}; {}known are {}", what, quote(name), hint, list));
}

}  // namespace armature::tools::synth
