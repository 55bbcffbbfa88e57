#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/cli/flags.h"

/// Flags that take several values: by commas, by repetition, or both.
namespace armature::tools {

/// The pieces between the commas, empty ones too.
std::vector<std::string_view> split_at_commas(std::string_view text);

/// "8,16-18,32-128*2": numbers and ranges, which are first-last, first-last+step and first-last*factor.
/// Nothing for what is no such list, has a range that does not grow, or more than kMostListed numbers.
inline constexpr std::size_t kMostListed = 10000;
std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text);

/// All values of an Integers option, in order, without those that are words. Its initial value where it was
/// not given.
std::vector<std::int64_t> integers(const Arguments& args, Option option);
/// The same of a Words option, or of one whose values are texts with commas between.
std::vector<std::string> texts(const Arguments& args, Option option);

}  // namespace armature::tools
