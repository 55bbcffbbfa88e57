#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "gguf/blocks.h"

/// Small pieces that several kernels of this folder share.
namespace armature::kernels::neon {
namespace {

inline constexpr std::size_t kLanes = 4;  // f32 in a vector

inline std::uint16_t read_u16(gguf::Le16 bytes) {
  std::uint16_t value;
  __builtin_memcpy(&value, &bytes, sizeof value);
  return value;
}

inline std::uint32_t read_u32(const std::uint8_t* bytes) {
  std::uint32_t value;
  __builtin_memcpy(&value, bytes, sizeof value);
  return value;
}

inline float f32_from_f16(gguf::Le16 half) {
  float16_t value;
  __builtin_memcpy(&value, &half, sizeof value);
  return static_cast<float>(value);
}

inline float32x4_t f32_from_f16(uint16x4_t halves) { return vcvt_f32_f16(vreinterpret_f16_u16(halves)); }

/// The sums of four vectors' lanes, in order.
inline float32x4_t sums_of_lanes(const float32x4_t v[4]) {
  return vpaddq_f32(vpaddq_f32(v[0], v[1]), vpaddq_f32(v[2], v[3]));
}
inline int32x4_t sums_of_lanes(const int32x4_t v[4]) {
  return vpaddq_s32(vpaddq_s32(v[0], v[1]), vpaddq_s32(v[2], v[3]));
}

/// The first `count` (0 to 4) of four elements; the others are 0.
inline float32x4_t load_part(const float* x, std::size_t count) {
  float part[kLanes] = {};
  for (std::size_t i = 0; i < count; ++i) part[i] = x[i];
  return vld1q_f32(part);
}
inline void store_part(float* out, float32x4_t x, std::size_t count) {
  float part[kLanes];
  vst1q_f32(part, x);
  for (std::size_t i = 0; i < count; ++i) out[i] = part[i];
}

template <int kIndex>
struct Index {
  constexpr operator int() const { return kIndex; }
};

/// Calls function(Index<0>{}) to function(Index<kCount - 1>{}): a loop that is unrolled in any case. In a
/// [[gnu::flatten]] function, which inlines all that it calls, arrays indexed by it live in registers.
template <int kCount, class Function>
[[gnu::always_inline]] inline void repeat(const Function& function) {
  if constexpr (kCount > 0) {
    repeat<kCount - 1>(function);
    function(Index<kCount - 1>{});
  }
}

/// Calls function<4>(row) for each four of `count` rows, then function<3>, <2> or <1> for the rest.
template <class Function>
inline void in_groups_of_four(std::size_t count, Function function) {
  std::size_t row = 0;
  for (; row + 4 <= count; row += 4) function.template operator()<4>(row);
  switch (count - row) {
    case 3:
      return function.template operator()<3>(row);
    case 2:
      return function.template operator()<2>(row);
    case 1:
      return function.template operator()<1>(row);
    default:
      return;
  }
}

/// out[i] = function(load) for i in steps of four, where load(x) gives x[i] to x[i + 3], or 0 past n.
template <class Function>
inline void for_each_four(float* out, std::size_t n, Function function) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    vst1q_f32(out + i, function([i](const float* x) { return vld1q_f32(x + i); }));
  if (i < n) store_part(out + i, function([i, n](const float* x) { return load_part(x + i, n - i); }), n - i);
}

}  // namespace
}  // namespace armature::kernels::neon
