#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace armature::cpu {

/// A set of instruction-set features, as bits. Each bit means: the CPU has it, the operating system saves its
/// registers, and the process may use it.
using Features = std::uint32_t;

inline constexpr Features kNone = 0;
// x86-64: a ladder. Each level also needs those below it.
inline constexpr Features kAvx2 = 1u << 0;    // AVX2, FMA, F16C
inline constexpr Features kAvx512 = 1u << 1;  // AVX-512 F, BW, CD, DQ, VL
inline constexpr Features kAvx512Vnni = 1u << 2;
inline constexpr Features kAvx512Bf16 = 1u << 3;
inline constexpr Features kAmx = 1u << 4;  // AMX-TILE, -INT8, -BF16, granted by the kernel
// aarch64: a set.
inline constexpr Features kNeon = 1u << 8;
inline constexpr Features kDotprod = 1u << 9;
inline constexpr Features kI8mm = 1u << 10;
inline constexpr Features kBf16 = 1u << 11;
inline constexpr Features kSve = 1u << 12;
inline constexpr Features kSve2 = 1u << 13;

constexpr bool has(Features have, Features needs) { return (have & needs) == needs; }

/// The features of this machine. Detected once per process; thread-safe. Asks the kernel for AMX tiles.
Features detect();

/// Bytes of an SVE vector in this process, or 0 without SVE.
std::uint32_t sve_bytes();

/// The processor's own name for itself: the brand string of CPUID; empty where there is none.
std::string brand();
/// Arm: MIDR_EL1 of the core that the calling thread is on, where the system shows it to programs; else 0.
std::uint32_t midr();

/// One name that --isa accepts, best last within an architecture.
struct Isa {
  std::string_view name;
  Features bit;
};
/// The names for the architecture that this was built for, "scalar" first.
const std::vector<Isa>& isas();

/// The features that a list like "avx2" or "dotprod,i8mm" leaves of `have`. On x86 the name is a level that
/// masks all above it; on Arm the names make up the set (NEON is in all but "scalar"). Throws Error
/// bad_argument for an unknown name, or one that `have` lacks, and lists the names.
Features mask(std::string_view list, Features have);

/// The names of a set, e.g. "avx2 avx512 avx512_vnni", or "scalar".
std::string describe(Features features);

}  // namespace armature::cpu
