#pragma once

#include <cstdint>
#include <optional>

/// The only sums and products that are made of numbers from a file.
namespace armature::gguf {

/// a + b, or nothing if it does not fit.
inline std::optional<std::uint64_t> add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// a * b, or nothing if it does not fit.
inline std::optional<std::uint64_t> mul(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// The smallest multiple of `unit` (a power of two) that is not below n, or nothing if it does not fit.
inline std::optional<std::uint64_t> round_up(std::uint64_t n, std::uint64_t unit) {
  const auto sum = add(n, unit - 1);
  if (!sum) return std::nullopt;
  return *sum & ~(unit - 1);
}

}  // namespace armature::gguf
