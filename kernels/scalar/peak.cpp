#include <cstddef>
#include <cstdint>

#include "kernels/rows.h"

namespace armature::kernels::scalar {
namespace {

constexpr std::size_t kSums = 16;

/// The operands are read anew in each round, a little further on: the compiler cannot know that they repeat.
template <class Element, class Sum>
PeakResult multiply_adds(const PeakArgs& args) {
  constexpr std::size_t kElements = kPeakOperandBytes / sizeof(Element);
  const auto* a = static_cast<const Element*>(args.a);
  const auto* b = static_cast<const Element*>(args.b);
  Sum sums[kSums] = {};
  for (std::size_t round = 0; round < args.rounds; ++round) {
    const std::size_t first = round * kSums % kElements;
    for (std::size_t i = 0; i < kSums; ++i)
      sums[i] += static_cast<Sum>(a[first + i]) * static_cast<Sum>(b[first + i]);
  }
  double sum = 0;
  for (const Sum part : sums) sum += static_cast<double>(part);
  return {sum, static_cast<double>(args.rounds * kSums)};
}

}  // namespace

PeakResult peak_int8(const PeakArgs& args) noexcept { return multiply_adds<std::int8_t, std::int32_t>(args); }
PeakResult peak_f32(const PeakArgs& args) noexcept { return multiply_adds<float, float>(args); }

}  // namespace armature::kernels::scalar
