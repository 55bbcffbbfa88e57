#pragma once

#include <cstddef>
#include <cstdint>

/// Byte layouts of the quantized blocks. All fields are bytes, so every struct has alignment 1 and may lie at
/// any address of a mapped file; multi-byte fields are little-endian and are read with memcpy. Meaning of the
/// fields: docs/formats.md.
namespace armature::gguf {

struct Le16 {
  std::uint8_t bytes[2];
};  // f16, bf16 or u16
struct Le32 {
  std::uint8_t bytes[4];
};

inline constexpr std::size_t kBlock = 32;        // weights in a plain block
inline constexpr std::size_t kSuperBlock = 256;  // weights in a K or IQ block

struct BlockQ4_0 {
  Le16 d;
  std::uint8_t q[16];
};
struct BlockQ4_1 {
  Le16 d, m;
  std::uint8_t q[16];
};
struct BlockQ5_0 {
  Le16 d;
  Le32 high;
  std::uint8_t q[16];
};
struct BlockQ5_1 {
  Le16 d, m;
  Le32 high;
  std::uint8_t q[16];
};
struct BlockQ8_0 {
  Le16 d;
  std::int8_t q[32];
};
struct BlockIQ4_NL {
  Le16 d;
  std::uint8_t q[16];
};

struct BlockQ2_K {
  std::uint8_t scales[16];
  std::uint8_t q[64];
  Le16 d, dmin;
};
struct BlockQ3_K {
  std::uint8_t high[32];
  std::uint8_t q[64];
  std::uint8_t scales[12];
  Le16 d;
};
struct BlockQ4_K {
  Le16 d, dmin;
  std::uint8_t scales[12];
  std::uint8_t q[128];
};
struct BlockQ5_K {
  Le16 d, dmin;
  std::uint8_t scales[12];
  std::uint8_t high[32];
  std::uint8_t q[128];
};
struct BlockQ6_K {
  std::uint8_t low[128];
  std::uint8_t high[64];
  std::int8_t scales[16];
  Le16 d;
};
struct BlockIQ4_XS {
  Le16 d, scales_high;
  std::uint8_t scales_low[4];
  std::uint8_t q[128];
};

static_assert(sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22);
static_assert(sizeof(BlockQ5_1) == 24 && sizeof(BlockQ8_0) == 34 && sizeof(BlockIQ4_NL) == 18);
static_assert(sizeof(BlockQ2_K) == 84 && sizeof(BlockQ3_K) == 110 && sizeof(BlockQ4_K) == 144);
static_assert(sizeof(BlockQ5_K) == 176 && sizeof(BlockQ6_K) == 210 && sizeof(BlockIQ4_XS) == 136);
static_assert(alignof(BlockQ4_0) == 1 && alignof(BlockQ4_K) == 1 && alignof(BlockQ6_K) == 1);

}  // namespace armature::gguf
