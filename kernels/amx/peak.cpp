#include <cstddef>
#include <cstdint>

#include "kernels/args.h"

/// In assembly throughout: GCC 12 tells its optimiser of 8 of the 64 bytes that its intrinsic for the
/// configuration reads, and of none that its tile loads read.
namespace armature::kernels::amx {
namespace {

constexpr int kTiles = 8, kSums = 4, kTileRows = 16, kRowBytes = 64;

/// What LDTILECFG reads (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 18.2).
struct alignas(64) Configuration {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(Configuration) == 64);

struct alignas(64) Tile {
  std::uint8_t bytes[kTileRows * kRowBytes];
};
static_assert(sizeof(Tile) == kPeakOperandBytes);

/// tmm0 to tmm3 are sums, 0 to begin with; tmm4 and tmm5 hold a, tmm6 and tmm7 b.
void begin(const PeakArgs& args) {
  Configuration configuration;
  for (int tile = 0; tile < kTiles; ++tile) {
    configuration.row_bytes[tile] = kRowBytes;
    configuration.rows[tile] = kTileRows;
  }
  __asm__ volatile("ldtilecfg %0" : : "m"(configuration));
  const auto* a = static_cast<const Tile*>(args.a);
  const auto* b = static_cast<const Tile*>(args.b);
  constexpr std::size_t kStride = kRowBytes;
  __asm__ volatile(
      "tilezero %%tmm0\n\t"
      "tilezero %%tmm1\n\t"
      "tilezero %%tmm2\n\t"
      "tilezero %%tmm3\n\t"
      "tileloadd (%0,%2,1), %%tmm4\n\t"
      "tileloadd (%0,%2,1), %%tmm5\n\t"
      "tileloadd (%1,%2,1), %%tmm6\n\t"
      "tileloadd (%1,%2,1), %%tmm7"
      :
      : "r"(a), "r"(b), "r"(kStride), "m"(*a), "m"(*b));
}

/// The sum of all elements of the four sums. The tiles are given back, which lets the core rest its unit.
template <class Element>
double end() {
  struct alignas(64) Sums {
    Element elements[kSums][kTileRows * kRowBytes / sizeof(Element)];
  } sums;
  constexpr std::size_t kStride = kRowBytes;
  __asm__ volatile(
      "tilestored %%tmm0, (%1,%5,1)\n\t"
      "tilestored %%tmm1, (%2,%5,1)\n\t"
      "tilestored %%tmm2, (%3,%5,1)\n\t"
      "tilestored %%tmm3, (%4,%5,1)\n\t"
      "tilerelease"
      : "=m"(sums)
      : "r"(sums.elements[0]), "r"(sums.elements[1]), "r"(sums.elements[2]), "r"(sums.elements[3]),
        "r"(kStride));
  double total = 0;
  for (const auto& tile : sums.elements)
    for (const Element element : tile) total += static_cast<double>(element);
  return total;
}

/// Of `elements` of a in each of the 16 rows with 16 columns of b.
double multiply_adds(std::size_t rounds, std::size_t elements) {
  return static_cast<double>(rounds * kSums * kTileRows * kTileRows * elements);
}

}  // namespace

PeakResult peak_int8(const PeakArgs& args) noexcept {
  begin(args);
  for (std::size_t round = 0; round < args.rounds; ++round)
    __asm__ volatile(
        "tdpbssd %tmm6, %tmm4, %tmm0\n\t"
        "tdpbssd %tmm7, %tmm4, %tmm1\n\t"
        "tdpbssd %tmm6, %tmm5, %tmm2\n\t"
        "tdpbssd %tmm7, %tmm5, %tmm3");
  return {end<std::int32_t>(), multiply_adds(args.rounds, kRowBytes)};
}

PeakResult peak_bf16(const PeakArgs& args) noexcept {
  begin(args);
  for (std::size_t round = 0; round < args.rounds; ++round)
    __asm__ volatile(
        "tdpbf16ps %tmm6, %tmm4, %tmm0\n\t"
        "tdpbf16ps %tmm7, %tmm4, %tmm1\n\t"
        "tdpbf16ps %tmm6, %tmm5, %tmm2\n\t"
        "tdpbf16ps %tmm7, %tmm5, %tmm3");
  return {end<float>(), multiply_adds(args.rounds, kRowBytes / 2)};
}

}  // namespace armature::kernels::amx
