#include "kernels/peak_check.h"

#include <gtest/gtest.h>

#include "tests/kernels/row_test.h"
#include "tests/support/guarded.h"
#include "tests/support/random.h"

namespace armature::test {
namespace {

using kernels::Arithmetic;

class Peak : public RowTest<kernels::PeakRow> {};
class Read : public RowTest<kernels::ReadRow> {};

std::vector<kernels::PeakRow> all_peak_rows() {
  return {kernels::peak_rows().begin(), kernels::peak_rows().end()};
}
std::vector<kernels::ReadRow> all_read_rows() {
  return {kernels::read_rows().begin(), kernels::read_rows().end()};
}

TEST_P(Peak, SumIsThatOfTheMultiplyAddsCounted) {
  EXPECT_EQ(kernels::check_peak_row(row()), std::nullopt) << label();
}

TEST_P(Peak, EveryRoundCounts) {
  const kernels::PeakOperands operands(row().kind);
  const double one = row().run(operands.args(4)).multiply_adds / 4;
  EXPECT_EQ(row().run(operands.args(400)).multiply_adds, 400 * one) << label();
  EXPECT_EQ(row().run(operands.args(0)).sum, 0) << label();
}

TEST_P(Peak, LargestNumbersStayExact) {
  struct alignas(64) Operand {
    unsigned char bytes[kernels::kPeakOperandBytes];
  } eights;
  for (std::size_t i = 0; i < sizeof eights; ++i) {
    constexpr float kEight = 8;
    constexpr unsigned char kBf16[] = {0x00, 0x41};
    unsigned char f32[sizeof kEight];
    std::memcpy(f32, &kEight, sizeof kEight);
    eights.bytes[i] = row().kind == Arithmetic::Int8   ? 8
                      : row().kind == Arithmetic::Bf16 ? kBf16[i % 2]
                                                       : f32[i % 4];
  }
  const kernels::PeakResult result = row().run({&eights, &eights, kernels::kMaxPeakRounds});
  EXPECT_EQ(result.sum, 64 * result.multiply_adds) << label();
}

TEST_P(Read, IsTheExclusiveOrOfEveryWord) {
  EXPECT_EQ(kernels::check_read_row(row()), std::nullopt) << label();
}

TEST_P(Read, MissesNoWordAndReadsNoOther) {
  const std::size_t n = 3 * kernels::kReadWords;
  Guarded<std::uint64_t> words(n);  // ends before a page that cannot be read
  for (std::size_t i = 0; i < n; ++i) words[i] = 0;
  EXPECT_EQ(row().run({words.data(), n}), 0u) << label();
  for (std::size_t i = 0; i < n; ++i) {
    words[i] = 1 + i;
    ASSERT_EQ(row().run({words.data(), n}), 1 + i) << label() << ": word " << i;
    words[i] = 0;
  }
  EXPECT_EQ(row().run({words.data(), 0}), 0u) << label();
}

TEST(PeakCheck, FindsARowThatCountsMoreThanItDoes) {
  const kernels::PeakRow lying = {cpu::kNone, Arithmetic::F32,
                                  [](const kernels::PeakArgs& args) noexcept {
                                    kernels::PeakResult result = kernels::peak_rows().back().run(args);
                                    result.multiply_adds *= 2;
                                    return result;
                                  },
                                  "C++", "lying"};
  const auto fault = kernels::check_peak_row(lying);
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->find("multiply-adds in 4 rounds"), std::string::npos) << *fault;
}

TEST(PeakCheck, FindsARowThatSkipsMemory) {
  const kernels::ReadRow lying = {
      cpu::kNone,
      [](const kernels::ReadArgs& args) noexcept {
        return kernels::read_rows().back().run({args.words, args.n - kernels::kReadWords});
      },
      "lying"};
  const auto fault = kernels::check_read_row(lying);
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->find("exclusive or of 640 numbers"), std::string::npos) << *fault;
}

TEST(PeakTable, EveryMachineHasInt8AndF32) {
  for (const Arithmetic kind : {Arithmetic::Int8, Arithmetic::F32}) {
    bool found = false;
    for (const kernels::PeakRow& row : kernels::peak_rows())
      found = found || (row.kind == kind && row.needs == cpu::kNone);
    EXPECT_TRUE(found) << kernels::name_of(kind);
  }
  EXPECT_EQ(kernels::choose_read(cpu::kNone).name, "scalar");
}

INSTANTIATE_TEST_SUITE_P(Table, Peak, testing::ValuesIn(all_peak_rows()), test_name<kernels::PeakRow>);
INSTANTIATE_TEST_SUITE_P(Table, Read, testing::ValuesIn(all_read_rows()), test_name<kernels::ReadRow>);

}  // namespace
}  // namespace armature::test
