#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/scalar/half.h"
#include "tests/kernels/row_test.h"
#include "tests/support/guarded.h"
#include "tests/support/random.h"

namespace armature::test {
namespace {

using gguf::TensorType;

class StoreF32 : public RowTest<kernels::StoreRow> {};
class StoreF16 : public RowTest<kernels::StoreRow> {};

std::vector<kernels::StoreRow> rows_to(TensorType to) {
  std::vector<kernels::StoreRow> rows;
  for (const kernels::StoreRow& row : kernels::store_rows())
    if (row.to == to) rows.push_back(row);
  return rows;
}

float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

std::vector<std::uint16_t> store_f16(const kernels::StoreRow& row, const std::vector<float>& x) {
  Guarded<float> in(x.size());
  std::copy(x.begin(), x.end(), in.data());
  Guarded<std::uint16_t> out(x.size());
  row.run({out.data(), in.data(), x.size()});
  EXPECT_TRUE(out.surroundings_intact());
  return {out.data(), out.data() + x.size()};
}

TEST_P(StoreF16, RoundsToNearestEven) {
  // Between each pair of neighbouring halves: the middle goes to the even one, its neighbours to the nearer
  // one.
  std::vector<float> x;
  std::vector<std::uint16_t> want;
  for (std::uint32_t half = 0; half < 0x7c00; ++half) {
    const float lower = kernels::scalar::f32_from_f16(static_cast<std::uint16_t>(half));
    const float upper =
        half == 0x7bff ? 65536.0f : kernels::scalar::f32_from_f16(static_cast<std::uint16_t>(half + 1));
    const std::uint32_t middle = bits_of(lower + (upper - lower) / 2);
    for (std::uint32_t sign : {0u, 0x8000u}) {
      const auto put = [&](float value, std::uint32_t to) {
        x.push_back(sign ? -value : value);
        want.push_back(static_cast<std::uint16_t>(to | sign));
      };
      put(lower, half);
      put(float_of(middle), half + (half & 1));
      put(float_of(middle - 1), half);
      put(float_of(middle + 1), half + 1);
    }
  }
  EXPECT_EQ(store_f16(row(), x), want) << label();
}

TEST_P(StoreF16, TakesWhatIsNotANumberOrTooLarge) {
  const std::vector<float> x = {float_of(0x7f800000),
                                float_of(0xff800000),
                                float_of(0x7fc00000),
                                float_of(0xffc00000),
                                float_of(0x7f800001),
                                float_of(0x7fa02000),
                                1e30f,
                                -65520.0f,
                                float_of(0x477fefff),
                                float_of(0x00000001),
                                float_of(0x807fffff)};
  const std::vector<std::uint16_t> want = {0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7e00, 0x7f01,
                                           0x7c00, 0xfc00, 0x7bff, 0x0000, 0x8000};
  EXPECT_EQ(store_f16(row(), x), want) << label();
}

TEST_P(StoreF16, EqualsScalarOnRandomBitsAtEveryLength) {
  Rng rng(base_seed());
  for (std::size_t n = 0; n < 70; ++n) {
    std::vector<float> x(n);
    std::vector<std::uint16_t> want(n);
    for (std::size_t i = 0; i < n; ++i) {
      // Half of them in the range of halves, half of them anything.
      const auto bits = static_cast<std::uint32_t>(rng.next());
      x[i] = rng.below(2) ? float_of(bits) : float_of((bits & 0x87ffffffu) + 0x30000000u);
      want[i] = kernels::scalar::f16_from_f32(x[i]);
    }
    ASSERT_EQ(store_f16(row(), x), want) << label() << ": n " << n << ", seed " << base_seed();
  }
}

TEST_P(StoreF32, CopiesBits) {
  Rng rng(base_seed());
  for (std::size_t n = 1; n < 70; ++n) {
    Guarded<std::uint32_t> in(n), out(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(rng.next());
    row().run({out.data(), reinterpret_cast<const float*>(in.data()), n});
    EXPECT_EQ(std::memcmp(in.data(), out.data(), 4 * n), 0) << label() << ": n " << n;
    EXPECT_TRUE(out.surroundings_intact());
  }
}

TEST(Half, Bf16RoundsToNearestEven) {
  using kernels::scalar::bf16_from_f32;
  EXPECT_EQ(bf16_from_f32(float_of(0x3f808000)), 0x3f80);
  EXPECT_EQ(bf16_from_f32(float_of(0x3f818000)), 0x3f82);
  EXPECT_EQ(bf16_from_f32(float_of(0x3f808001)), 0x3f81);
  EXPECT_EQ(bf16_from_f32(float_of(0x00018000)), 0x0002);
  EXPECT_EQ(bf16_from_f32(float_of(0x7f7fffff)), 0x7f80);
  EXPECT_EQ(bf16_from_f32(float_of(0xff800001)), 0xffc0);
}

INSTANTIATE_TEST_SUITE_P(Table, StoreF16, testing::ValuesIn(rows_to(TensorType::F16)),
                         test_name<kernels::StoreRow>);
INSTANTIATE_TEST_SUITE_P(Table, StoreF32, testing::ValuesIn(rows_to(TensorType::F32)),
                         test_name<kernels::StoreRow>);

}  // namespace
}  // namespace armature::test
