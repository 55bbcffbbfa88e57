#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace armature {

/// How many of n further OpenMP threads the system grants: threads with stacks of their size are made and
/// ended again.
std::size_t probe_threads(std::size_t n);

/// Bytes of a stack size as OMP_STACKSIZE has it: a number, in KiB or with one of the units B, K, M, G,
/// blanks around each. Nothing for any other text, and for more than a std::size_t holds (OpenMP 5.0, 6.7).
std::optional<std::size_t> parse_stack_size(std::string_view text);

}  // namespace armature
