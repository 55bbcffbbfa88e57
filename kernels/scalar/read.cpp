#include <cstddef>

#include "kernels/rows.h"

namespace armature::kernels::scalar {

std::uint64_t read(const ReadArgs& args) noexcept {
  constexpr std::size_t kSums = 8;
  std::uint64_t sums[kSums] = {};
  for (std::size_t i = 0; i < args.n; i += kSums)
    for (std::size_t j = 0; j < kSums; ++j) sums[j] ^= args.words[i + j];
  std::uint64_t sum = 0;
  for (const std::uint64_t part : sums) sum ^= part;
  return sum;
}

}  // namespace armature::kernels::scalar
