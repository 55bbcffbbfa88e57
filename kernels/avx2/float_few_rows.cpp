#include "kernels/avx2/float_weights.h"

namespace armature::kernels::avx2 {
namespace {

constexpr std::size_t kTogether = 4;  // rows of activations that share a load of weights
constexpr std::size_t kParts = 2;     // registers of sums for each, so that additions overlap

/// Column `column` of y for kRows rows from `row` on. A row's arithmetic does not depend on kRows.
template <class Type, std::size_t kRows>
void column_of(const MatmulArgs& a, std::size_t row, std::size_t column) {
  constexpr std::size_t kStep = kParts * kLanes;
  const std::uint8_t* w = a.w + column * a.w_stride;
  const float* x = a.x.values + row * a.x.values_stride;
  __m256 total[kRows][kParts];
#pragma GCC unroll 16
  for (auto& t : total)
#pragma GCC unroll 16
    for (__m256& part : t) part = _mm256_setzero_ps();
  std::size_t i = 0;
  for (; i + kStep <= a.k; i += kStep)
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kParts; ++p) {
      const __m256 weights = Type::load_8(w + (i + p * kLanes) * Type::kBytes);
#pragma GCC unroll 16
      for (std::size_t r = 0; r < kRows; ++r)
        total[r][p] =
            _mm256_fmadd_ps(load_8(x + r * a.x.values_stride + i + p * kLanes), weights, total[r][p]);
    }
  float rest[kRows] = {};
  for (; i < a.k; ++i)
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
      rest[r] += x[r * a.x.values_stride + i] * Type::load_1(w + i * Type::kBytes);
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r)
    a.y[(row + r) * a.y_stride + column] = sum(_mm256_add_ps(total[r][0], total[r][1])) + rest[r];
}

template <class Type>
void few_rows(const MatmulArgs& a) {
  for (std::size_t column = 0; column < a.n; ++column) {
    std::size_t row = 0;
    for (; row + kTogether <= a.m; row += kTogether) column_of<Type, kTogether>(a, row, column);
    for (; row < a.m; ++row) column_of<Type, 1>(a, row, column);
  }
}

}  // namespace

void matmul_f32_f32(const MatmulArgs& a) noexcept { few_rows<F32>(a); }
void matmul_f16_f32(const MatmulArgs& a) noexcept { few_rows<F16>(a); }
void matmul_bf16_f32(const MatmulArgs& a) noexcept { few_rows<BF16>(a); }

}  // namespace armature::kernels::avx2
