#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/scalar/weights.h"

/// The products of all weight types. Each sum over k is made in double and rounded once at the end, in an
/// order that depends on k alone: a row of the result is the same bits whatever m and n are.
namespace armature::kernels::scalar {

/// A sum of products in 8 parts, by place in the row modulo 8, so that a compiler may use vectors.
class DotSum {
 public:
  /// Adds n products; all calls but the last have n a multiple of 8.
  void add(const float* x, const float* w, std::size_t n) {
    std::size_t i = 0;
    for (; i + kParts <= n; i += kParts)
      for (std::size_t part = 0; part < kParts; ++part)
        part_[part] += static_cast<double>(x[i + part]) * static_cast<double>(w[i + part]);
    for (std::size_t part = 0; i + part < n; ++part)
      part_[part] += static_cast<double>(x[i + part]) * static_cast<double>(w[i + part]);
  }
  float total() const {
    double sum = 0;
    for (double part : part_) sum += part;
    return static_cast<float>(sum);
  }

 private:
  static constexpr std::size_t kParts = 8;
  double part_[kParts] = {};
};

inline constexpr std::size_t kSharedRows = 8;  // rows of activations for which a block is unpacked once

/// Form F32: decoded weights times activations as they are.
template <class Type>
void matmul_f32(const MatmulArgs& a) {
  constexpr std::size_t kChunk = 256;
  constexpr std::size_t kChunkBytes = kChunk / Type::kWeights * Type::kBytes;
  for (std::size_t column = 0; column < a.n; ++column) {
    const std::uint8_t* w = a.w + column * a.w_stride;
    for (std::size_t first = 0; first < a.m; first += kSharedRows) {
      const std::size_t rows = std::min(kSharedRows, a.m - first);
      DotSum sums[kSharedRows];
      for (std::size_t at = 0; at < a.k; at += kChunk) {
        float decoded[kChunk];
        const std::size_t count = std::min(kChunk, a.k - at);
        dequantize<Type>({decoded, w + at / kChunk * kChunkBytes, count});
        for (std::size_t row = 0; row < rows; ++row)
          sums[row].add(a.x.values + (first + row) * a.x.values_stride + at, decoded, count);
      }
      for (std::size_t row = 0; row < rows; ++row)
        a.y[(first + row) * a.y_stride + column] = sums[row].total();
    }
  }
}

/// One block of an int8 product without the activations' step. Exact: integers of at most 23 bits times
/// scales of at most 19.
template <class Type>
double block_dot(const typename Type::Unpacked& w, const std::int8_t* codes, const std::int16_t* sums) {
  constexpr std::size_t kSumLength = 16;
  double total = 0;
  for (std::size_t sub = 0; sub < Type::kWeights / Type::kSub; ++sub) {
    std::int32_t dot = 0, sum = 0;
    for (std::size_t i = sub * Type::kSub; i < (sub + 1) * Type::kSub; ++i) dot += w.code[i] * codes[i];
    for (std::size_t i = sub * Type::kSub; i < (sub + 1) * Type::kSub; i += kSumLength)
      sum += sums[i / kSumLength];
    total += static_cast<double>(w.scale[sub]) * dot + static_cast<double>(w.offset[sub]) * sum;
  }
  return total;
}

/// Forms Q8_32 and Q8_256: that whose step spans one block of this type.
template <class Type>
void matmul_int8(const MatmulArgs& a) {
  for (std::size_t column = 0; column < a.n; ++column) {
    const std::uint8_t* w = a.w + column * a.w_stride;
    for (std::size_t first = 0; first < a.m; first += kSharedRows) {
      const std::size_t rows = std::min(kSharedRows, a.m - first);
      double sums[kSharedRows] = {};
      for (std::size_t block = 0; block < a.k / Type::kWeights; ++block) {
        const auto unpacked = unpack_block<Type>(w + block * Type::kBytes);
        for (std::size_t row = 0; row < rows; ++row) {
          const std::size_t i = first + row;
          const double dot =
              block_dot<Type>(unpacked, a.x.codes + i * a.x.codes_stride + block * Type::kWeights,
                              a.x.sums + i * a.x.sums_stride + block * Type::kWeights / 16);
          sums[row] += dot * static_cast<double>(a.x.steps[i * a.x.steps_stride + block]);
        }
      }
      for (std::size_t row = 0; row < rows; ++row)
        a.y[(first + row) * a.y_stride + column] = static_cast<float>(sums[row]);
    }
  }
}

}  // namespace armature::kernels::scalar
