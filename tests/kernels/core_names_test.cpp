#include "kernels/core_names.h"

#include <gtest/gtest.h>

#include "kernels/cpu.h"

namespace armature::test {
namespace {

TEST(CoreNames, OfMainIdRegisters) {
  EXPECT_EQ(cpu::arm_core_name(0x410fd034), "Cortex-A53 r0p4");
  EXPECT_EQ(cpu::arm_core_name(0x413fd0c1), "Neoverse-N1 r3p1");
  EXPECT_EQ(cpu::arm_core_name(0x410fd493), "Neoverse-N2 r0p3");
  EXPECT_EQ(cpu::arm_core_name(0x461f0010), "A64FX r1p0");
  EXPECT_EQ(cpu::arm_core_name(0x6d0fd490), "Azure Cobalt 100 r0p0");
}

TEST(CoreNames, UnknownCoresAreNumbers) {
  EXPECT_EQ(cpu::arm_core_name(0x41affff5), "implementer 0x41, part 0xfff, r10p5");
  EXPECT_EQ(cpu::arm_core_name(0), "implementer 0x0, part 0x0, r0p0");
}

TEST(CoreNames, ThisMachineSaysWhatItIs) {
#if defined(__x86_64__)
  EXPECT_FALSE(cpu::brand().empty());
  EXPECT_EQ(cpu::midr(), 0u);
#elif defined(__aarch64__) && defined(__linux__)
  EXPECT_TRUE(cpu::brand().empty());
  EXPECT_NE(cpu::midr(), 0u);
#endif
}

}  // namespace
}  // namespace armature::test
