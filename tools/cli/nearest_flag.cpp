#include <algorithm>
#include <cstdint>

#include "tools/cli/edit_distance.h"
#include "tools/cli/flags.h"

namespace armature::tools {

std::string_view nearest_flag(Commands command, std::string_view name) {
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const Flag& flag : flag_table()) {
    if ((flag.commands & command) == 0) continue;
    for (const std::string_view list : {flag.names, flag.negatives}) {
      for (const std::string_view known : split_words(list)) {
        const std::size_t distance = edit_distance(name, known);
        if (distance < least) {
          least = distance;
          nearest = known;
        }
      }
    }
  }
  return nearest;
}

}  // namespace armature::tools
