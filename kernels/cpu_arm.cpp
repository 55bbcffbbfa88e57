#if defined(__aarch64__)

#include "kernels/cpu_detect.h"

#if defined(__linux__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace armature::cpu {
namespace {

#if defined(__linux__)
// Linux, Documentation/arch/arm64/elf_hwcaps.rst and sve.rst. By number, since older headers lack some names.
constexpr unsigned long kHwcapAsimd = 1ul << 1, kHwcapCpuid = 1ul << 11, kHwcapAsimdDp = 1ul << 20;
constexpr unsigned long kHwcapSve = 1ul << 22;
constexpr unsigned long kHwcap2Sve2 = 1ul << 1, kHwcap2I8mm = 1ul << 13, kHwcap2Bf16 = 1ul << 14;
constexpr int kPrSveGetVl = 51, kPrSveVlLenMask = 0xffff;
#endif

}  // namespace

Features ask_machine() {
#if defined(__linux__)
  const unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
  const auto when = [](unsigned long bits, unsigned long bit, Features feature) {
    return bits & bit ? feature : kNone;
  };
  return when(hwcap, kHwcapAsimd, kNeon) | when(hwcap, kHwcapAsimdDp, kDotprod) |
         when(hwcap2, kHwcap2I8mm, kI8mm) | when(hwcap2, kHwcap2Bf16, kBf16) | when(hwcap, kHwcapSve, kSve) |
         when(hwcap2, kHwcap2Sve2, kSve2);
#else
  return kNeon;
#endif
}

std::uint32_t sve_bytes() {
#if defined(__linux__)
  if (!has(detect(), kSve)) return 0;
  const int length = prctl(kPrSveGetVl);
  return length < 0 ? 0 : static_cast<std::uint32_t>(length & kPrSveVlLenMask);
#else
  return 0;
#endif
}

std::string brand() { return {}; }

std::uint32_t midr() {
#if defined(__linux__)
  if ((getauxval(AT_HWCAP) & kHwcapCpuid) == 0) return 0;
  std::uint64_t value;
  __asm__("mrs %0, midr_el1" : "=r"(value));  // the kernel answers (cpu-feature-registers.rst)
  return static_cast<std::uint32_t>(value);
#else
  return 0;
#endif
}

const Architecture& architecture() {
  static const Architecture kArm{{{"scalar", kNone},
                                  {"neon", kNeon},
                                  {"dotprod", kDotprod},
                                  {"i8mm", kI8mm},
                                  {"bf16", kBf16},
                                  {"sve", kSve},
                                  {"sve2", kSve2}},
                                 Names::Set};
  return kArm;
}

}  // namespace armature::cpu

#endif
