#include "tools/cli/units.h"

#include <array>
#include <charconv>
#include <string_view>

#include "gguf/compose.h"

namespace armature::tools {
namespace {

struct Scaled {
  double value;
  std::size_t unit;
};
/// `n` in the largest of n_units units, each `factor` times the one before, in which it is at least 1.
Scaled scaled(std::uint64_t n, double factor, std::size_t n_units) {
  Scaled out{static_cast<double>(n), 0};
  while (out.value >= factor && out.unit + 1 < n_units) {
    out.value /= factor;
    ++out.unit;
  }
  return out;
}

}  // namespace

std::string fixed(double value, int digits) {
  std::array<char, 352> buffer;  // the largest double has 309 digits before the point
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits);
  return {buffer.data(), end.ptr};
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  const auto [value, unit] = scaled(bytes, 1000, kUnits.size());
  return compose("{} {}", fixed(value, unit == 0 ? 0 : 1), kUnits[unit]);
}

std::string binary_size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  const auto [value, unit] = scaled(bytes, 1024, kUnits.size());
  const bool whole = value == static_cast<double>(static_cast<std::uint64_t>(value));
  return compose("{} {}", fixed(value, whole ? 0 : 1), kUnits[unit]);
}

std::string count_text(std::uint64_t n) {
  constexpr std::array<std::string_view, 5> kUnits = {"", " k", " M", " B", " T"};
  const auto [value, unit] = scaled(n, 1000, kUnits.size());
  return compose("{}{}", fixed(value, unit == 0 ? 0 : value < 10 ? 2 : 1), kUnits[unit]);
}

}  // namespace armature::tools
