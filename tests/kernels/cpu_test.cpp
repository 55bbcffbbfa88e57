#include "kernels/cpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gguf/error.h"
#include "kernels/kernels.h"

namespace armature::test {
namespace {

using cpu::Features;

/// Everything that this architecture's names stand for.
Features every_feature() {
  Features all = cpu::kNone;
  for (const cpu::Isa& isa : cpu::isas()) all |= isa.bit;
  return all;
}

std::string message_of(std::string_view list, Features have) {
  try {
    cpu::mask(list, have);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    return error.what();
  }
  return "no error";
}

TEST(Cpu, DetectsTheSameEachTime) {
  EXPECT_EQ(cpu::detect(), cpu::detect());
  EXPECT_EQ(cpu::detect() & ~every_feature(), cpu::kNone);
  EXPECT_EQ(cpu::sve_bytes() != 0, cpu::has(cpu::detect(), cpu::kSve));
}

TEST(Cpu, ScalarMasksAll) {
  EXPECT_EQ(cpu::isas().front().name, "scalar");
  EXPECT_EQ(cpu::mask("scalar", every_feature()), cpu::kNone);
  EXPECT_EQ(cpu::describe(cpu::kNone), "scalar");
}

TEST(Cpu, AnUnknownNameListsTheKnownOnes) {
  for (std::string_view list : {"", "avx9", "scalar,", "scalar,,scalar", "SCALAR"}) {
    const std::string message = message_of(list, every_feature());
    for (const cpu::Isa& isa : cpu::isas())
      EXPECT_THAT(message, testing::HasSubstr(std::string(isa.name))) << list;
  }
  EXPECT_THAT(message_of("avx9", every_feature()), testing::HasSubstr("'avx9'"));
}

TEST(Cpu, ANameThatTheMachineLacksSaysSo) {
  for (const cpu::Isa& isa : cpu::isas()) {
    if (isa.bit == cpu::kNone) continue;
    EXPECT_THAT(message_of(isa.name, every_feature() & ~isa.bit),
                testing::HasSubstr("this machine lacks " + std::string(isa.name)));
  }
}

#if defined(__x86_64__)
TEST(Cpu, ALevelMasksAllAboveIt) {
  using namespace cpu;
  const Features all = every_feature();
  EXPECT_EQ(all, kAvx2 | kAvx512 | kAvx512Vnni | kAvx512Bf16 | kAmx);
  EXPECT_EQ(mask("avx2", all), kAvx2);
  EXPECT_EQ(mask("avx512", all), kAvx2 | kAvx512);
  EXPECT_EQ(mask("avx512_vnni", all), kAvx2 | kAvx512 | kAvx512Vnni);
  EXPECT_EQ(mask("avx512_bf16", all), all & ~kAmx);
  EXPECT_EQ(mask("amx", all), all);
  EXPECT_EQ(mask("avx2", kAvx2 | kAvx512), kAvx2);
  EXPECT_EQ(describe(kAvx2 | kAvx512), "avx2 avx512");
}

TEST(Cpu, LevelsAreALadder) {
  Features below = cpu::kNone;
  for (const cpu::Isa& isa : cpu::isas()) {
    if (cpu::has(cpu::detect(), isa.bit)) {
      EXPECT_EQ(cpu::detect() & below, below) << isa.name;
    }
    below |= isa.bit;
  }
}
#elif defined(__aarch64__)
TEST(Cpu, NamesMakeUpASet) {
  using namespace cpu;
  const Features all = every_feature();
  EXPECT_EQ(mask("neon", all), kNeon);
  EXPECT_EQ(mask("dotprod", all), kNeon | kDotprod);
  EXPECT_EQ(mask("dotprod,i8mm", all), kNeon | kDotprod | kI8mm);
  EXPECT_EQ(mask("sve2,sve", all), kNeon | kSve | kSve2);
  EXPECT_EQ(describe(kNeon | kDotprod), "neon dotprod");
}
#endif

}  // namespace
}  // namespace armature::test
