#include "tests/kernels/format_reference.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace armature::test {
namespace {

using gguf::TensorType;

constexpr int kIq4Table[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

unsigned u16_at(const std::uint8_t* p) { return p[0] + 256u * p[1]; }
unsigned bits_of(unsigned value, unsigned at, unsigned count) { return value >> at & ((1u << count) - 1); }

double half_at(const std::uint8_t* p) {
  const unsigned bits = u16_at(p), exponent = bits_of(bits, 10, 5), fraction = bits_of(bits, 0, 10);
  const double sign = bits_of(bits, 15, 1) ? -1.0 : 1.0;
  if (exponent == 31) return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
}

double f32_at(const std::uint8_t* p) {
  float value;
  std::memcpy(&value, p, sizeof value);
  return static_cast<double>(value);
}

double bf16_at(const std::uint8_t* p) {
  const std::uint8_t bytes[4] = {0, 0, p[0], p[1]};
  return f32_at(bytes);
}

unsigned nibble(unsigned byte, bool high) { return high ? byte / 16 : byte % 16; }

/// Code i of 32 in 16 bytes.
unsigned split(const std::uint8_t* c, std::size_t i) { return nibble(c[i % 16], i >= 16); }

unsigned fifth_bit(const std::uint8_t* h, std::size_t i) {
  return bits_of(h[i / 8], static_cast<unsigned>(i % 8), 1);
}

unsigned two_bit_field(const std::uint8_t* q, std::size_t i) {
  return bits_of(q[32 * (i / 128) + i % 32], 2 * static_cast<unsigned>(i / 32 % 4), 2);
}

StoredWeight q2_k(const std::uint8_t* b, std::size_t i) {
  const std::size_t sub = i / 16;
  return {half_at(b + 80) * nibble(b[sub], false), static_cast<double>(two_bit_field(b + 16, i)),
          -half_at(b + 82) * nibble(b[sub], true)};
}

StoredWeight q3_k(const std::uint8_t* b, std::size_t i) {
  const std::uint8_t* p = b + 96;
  const std::size_t s = i / 16;
  const unsigned scale =
      nibble(p[s % 8], s >= 8) + 16 * bits_of(p[8 + s % 4], 2 * static_cast<unsigned>(s / 4), 2);
  const unsigned third = bits_of(b[i % 32], static_cast<unsigned>(i / 32), 1);
  const double d = half_at(b + 108) * (static_cast<double>(scale) - 32);
  return {d, static_cast<double>(two_bit_field(b + 32, i) + 4 * third), -4 * d};
}

struct SixBits {
  unsigned scale, minimum;
};
SixBits six_bits(const std::uint8_t* p, std::size_t sub) {
  const std::size_t j = sub % 4;
  const unsigned a = p[j], b = p[4 + j], c = p[8 + j];
  if (sub < 4) return {bits_of(a, 0, 6), bits_of(b, 0, 6)};
  return {bits_of(c, 0, 4) + 16 * bits_of(a, 6, 2), bits_of(c, 4, 4) + 16 * bits_of(b, 6, 2)};
}

unsigned paired(const std::uint8_t* q, std::size_t i) {
  return nibble(q[32 * (i / 64) + i % 32], i % 64 >= 32);
}

StoredWeight q4_k(const std::uint8_t* b, std::size_t i) {
  const SixBits s = six_bits(b + 4, i / 32);
  return {half_at(b) * s.scale, static_cast<double>(paired(b + 16, i)), -half_at(b + 2) * s.minimum};
}

StoredWeight q5_k(const std::uint8_t* b, std::size_t i) {
  const SixBits s = six_bits(b + 4, i / 32);
  const unsigned fifth = bits_of(b[16 + i % 32], static_cast<unsigned>(i / 32), 1);
  return {half_at(b) * s.scale, static_cast<double>(paired(b + 48, i) + 16 * fifth),
          -half_at(b + 2) * s.minimum};
}

StoredWeight q6_k(const std::uint8_t* b, std::size_t i) {
  const std::size_t half = i / 128, c = i % 128 / 32, j = i % 32;
  const unsigned lower = nibble(b[64 * half + 32 * (c % 2) + j], c >= 2);
  const unsigned upper = bits_of(b[128 + 32 * half + j], 2 * static_cast<unsigned>(c), 2);
  const double d = half_at(b + 208) * static_cast<std::int8_t>(b[192 + i / 16]);
  return {d, static_cast<double>(lower + 16 * upper), -32 * d};
}

StoredWeight iq4_xs(const std::uint8_t* b, std::size_t i) {
  const std::size_t sub = i / 32;
  const unsigned scale =
      nibble(b[4 + sub / 2], sub % 2 == 1) + 16 * bits_of(u16_at(b + 2), 2 * static_cast<unsigned>(sub), 2);
  return {half_at(b) * (static_cast<double>(scale) - 32),
          static_cast<double>(kIq4Table[split(b + 8 + 16 * sub, i % 32)]), 0};
}

StoredWeight in_block(TensorType type, const std::uint8_t* b, std::size_t i) {
  switch (type) {
    case TensorType::F32:
      return {1, f32_at(b), 0};
    case TensorType::F16:
      return {1, half_at(b), 0};
    case TensorType::BF16:
      return {1, bf16_at(b), 0};
    case TensorType::Q4_0:
      return {half_at(b), static_cast<double>(split(b + 2, i)), -8 * half_at(b)};
    case TensorType::Q4_1:
      return {half_at(b), static_cast<double>(split(b + 4, i)), half_at(b + 2)};
    case TensorType::Q5_0:
      return {half_at(b), static_cast<double>(split(b + 6, i) + 16 * fifth_bit(b + 2, i)), -16 * half_at(b)};
    case TensorType::Q5_1:
      return {half_at(b), static_cast<double>(split(b + 8, i) + 16 * fifth_bit(b + 4, i)), half_at(b + 2)};
    case TensorType::Q8_0:
      return {half_at(b), static_cast<double>(static_cast<std::int8_t>(b[2 + i])), 0};
    case TensorType::Q2_K:
      return q2_k(b, i);
    case TensorType::Q3_K:
      return q3_k(b, i);
    case TensorType::Q4_K:
      return q4_k(b, i);
    case TensorType::Q5_K:
      return q5_k(b, i);
    case TensorType::Q6_K:
      return q6_k(b, i);
    case TensorType::IQ4_NL:
      return {half_at(b), static_cast<double>(kIq4Table[split(b + 2, i)]), 0};
    case TensorType::IQ4_XS:
      return iq4_xs(b, i);
    default:
      throw std::invalid_argument("the reference does not know this type");
  }
}

}  // namespace

double StoredWeight::magnitude() const { return std::abs(scale * code) + std::abs(offset); }

StoredWeight stored_weight(TensorType type, const std::uint8_t* row, std::size_t i) {
  const gguf::TypeInfo& info = gguf::type_info(type);
  return in_block(type, row + i / info.block_size * info.block_bytes, i % info.block_size);
}

ScaleFields scale_fields(TensorType type) {
  switch (type) {
    case TensorType::Q4_1:
    case TensorType::Q5_1:
    case TensorType::Q4_K:
    case TensorType::Q5_K:
      return {0, 2};
    case TensorType::Q2_K:
      return {80, 82};
    case TensorType::Q3_K:
      return {108, -1};
    case TensorType::Q6_K:
      return {208, -1};
    default:
      return {0, -1};
  }
}

}  // namespace armature::test
