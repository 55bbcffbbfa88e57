#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "tools/cli/flags.h"

namespace armature::tools {
namespace {

/// Letters more, less, replaced or swapped with their neighbour (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last, row(b.size() + 1);  // of a[0..i) to each prefix of b
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = last[j] + (a[i] == b[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, row[j] + 1, last[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

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
