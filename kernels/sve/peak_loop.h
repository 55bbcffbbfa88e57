#pragma once

#include <arm_sve.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"

/// The loop of the rows that measure peaks, for this folder and those of its extensions.
namespace armature::kernels::sve {
namespace {

constexpr std::size_t kSums = 16;  // cores with vectors of 256 bits begin up to two products a cycle

inline double total(svfloat32_t v) {
  const svfloat64_t even = svcvt_f64_x(svptrue_b64(), v);
  const svfloat64_t odd = svcvt_f64_x(svptrue_b64(), svext(v, v, 1));
  return svaddv(svptrue_b64(), even) + svaddv(svptrue_b64(), odd);
}
inline double total(svint32_t v) { return static_cast<double>(svaddv(svptrue_b32(), v)); }

/// Arrays of SVE vectors do not exist, but lists of parameters do.
template <class Product, class... Sums>
[[gnu::always_inline]] inline double repeat_all(std::size_t rounds, const Product& product, Sums... sums) {
  static_assert(sizeof...(sums) == kSums);
  const auto step = [&](auto& sum) __attribute__((always_inline)) {
    sum = product(sum);
    __asm__ volatile("" : "+w"(sum));  // equal sums are not merged
  };
  for (std::size_t round = 0; round < rounds; ++round) (step(sums), ...);
  return (total(sums) + ...);
}

/// Each of kSums sums, which begin at zero, becomes product(sum) in every round. Returns the sum of them all.
template <class Product, class Sum>
[[gnu::always_inline]] inline double repeat(std::size_t rounds, const Product& product, Sum zero) {
  return repeat_all(rounds, product, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero,
                    zero, zero, zero, zero);
}

}  // namespace
}  // namespace armature::kernels::sve
