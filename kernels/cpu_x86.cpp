#if defined(__x86_64__)

#include <cpuid.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/cpu_detect.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace armature::cpu {
namespace {

// Bits of CPUID and XCR0: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 13,
// and volume 2, "CPUID".
constexpr std::uint32_t bit(unsigned n) { return 1u << n; }
constexpr bool all(std::uint32_t value, std::uint32_t bits) { return (value & bits) == bits; }

constexpr std::uint32_t kFma = bit(12), kOsXsave = bit(27), kAvx = bit(28), kF16c = bit(29);  // 1, ECX
constexpr std::uint32_t kAvx2Bit = bit(5);                                                    // 7.0, EBX
constexpr std::uint32_t kAvx512Bits = bit(16) | bit(17) | bit(28) | bit(30) | bit(31);        // 7.0, EBX
constexpr std::uint32_t kVnniBit = bit(11);                                                   // 7.0, ECX
constexpr std::uint32_t kAmxBits = bit(22) | bit(24) | bit(25);                               // 7.0, EDX
constexpr std::uint32_t kAvx512Bf16Bit = bit(5);                                              // 7.1, EAX
constexpr std::uint32_t kYmmState = bit(1) | bit(2),
                        kZmmState = kYmmState | bit(5) | bit(6) | bit(7);  // XCR0
constexpr std::uint32_t kTileState = bit(17) | bit(18);

struct Leaf {
  std::uint32_t eax, ebx, ecx, edx;
};
/// Zeros where the CPU has no such leaf.
Leaf cpuid(std::uint32_t leaf, std::uint32_t subleaf) {
  Leaf l{};
  if (!__get_cpuid_count(leaf, subleaf, &l.eax, &l.ebx, &l.ecx, &l.edx)) return {};
  return l;
}

/// The register states that the operating system saves. In assembly, since the intrinsic needs a compile
/// flag.
std::uint32_t xcr0() {
  std::uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/// Linux gives a process tiles only when asked.
bool tiles_granted() {
#if defined(__linux__)
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace

Features ask_machine() {
  const Leaf basic = cpuid(1, 0), extended = cpuid(7, 0);
  if (!all(basic.ecx, kFma | kOsXsave | kAvx | kF16c)) return kNone;
  const std::uint32_t states = xcr0();
  if (!all(extended.ebx, kAvx2Bit) || !all(states, kYmmState)) return kNone;
  Features have = kAvx2;
  if (!all(extended.ebx, kAvx512Bits) || !all(states, kZmmState)) return have;
  have |= kAvx512;
  if (!all(extended.ecx, kVnniBit)) return have;
  have |= kAvx512Vnni;
  if (extended.eax < 1 || !all(cpuid(7, 1).eax, kAvx512Bf16Bit)) return have;
  have |= kAvx512Bf16;
  if (!all(extended.edx, kAmxBits) || !all(states, kTileState) || !tiles_granted()) return have;
  return have | kAmx;
}

std::uint32_t sve_bytes() { return 0; }
std::uint32_t midr() { return 0; }

std::string brand() {
  constexpr std::uint32_t kFirstLeaf = 0x80000002;  // 16 characters in each of three leaves
  std::array<char, 3 * sizeof(Leaf) + 1> text{};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Leaf leaf = cpuid(kFirstLeaf + i, 0);
    std::memcpy(text.data() + i * sizeof leaf, &leaf, sizeof leaf);
  }
  const std::string name = text.data();
  const std::size_t first = std::min(name.find_first_not_of(' '), name.size());
  return name.substr(first, name.find_last_not_of(' ') + 1 - first);
}

const Architecture& architecture() {
  static const Architecture kX86{{{"scalar", kNone},
                                  {"avx2", kAvx2},
                                  {"avx512", kAvx512},
                                  {"avx512_vnni", kAvx512Vnni},
                                  {"avx512_bf16", kAvx512Bf16},
                                  {"amx", kAmx}},
                                 Names::Levels};
  return kX86;
}

}  // namespace armature::cpu

#endif
