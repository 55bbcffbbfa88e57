#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/kernels/row_test.h"
#include "tests/support/guarded.h"
#include "tests/support/random.h"

namespace armature::test {
namespace {

class RoundRows : public RowTest<kernels::RoundRow> {
 protected:
  std::size_t block() const { return row().form == kernels::Form::Q8_32 ? 32 : 256; }
};

struct Rounded {
  std::vector<std::int8_t> codes;
  std::vector<std::uint32_t> steps;  // as bits; every NaN as one
  std::vector<std::int16_t> sums;

  bool operator==(const Rounded&) const = default;
};

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value);
}

Rounded run(const kernels::RoundRow& row, const std::vector<float>& x, std::size_t m, std::size_t k,
            std::size_t block) {
  Guarded<float> in(x.size());
  std::copy(x.begin(), x.end(), in.data());
  const std::size_t codes_stride = k + 5, steps_stride = k / block + 1, sums_stride = k / 16 + 3;
  Guarded<std::int8_t> codes((m - 1) * codes_stride + k);
  Guarded<float> steps((m - 1) * steps_stride + k / block);
  Guarded<std::int16_t> sums((m - 1) * sums_stride + k / 16);
  row.run(
      {in.data(), k, codes.data(), steps.data(), sums.data(), codes_stride, steps_stride, sums_stride, m, k});
  EXPECT_TRUE(codes.surroundings_intact() && steps.surroundings_intact() && sums.surroundings_intact());
  Rounded result;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < k; ++j) result.codes.push_back(codes[i * codes_stride + j]);
    for (std::size_t j = 0; j < k / block; ++j) result.steps.push_back(bits_of(steps[i * steps_stride + j]));
    for (std::size_t j = 0; j < k / 16; ++j) result.sums.push_back(sums[i * sums_stride + j]);
  }
  return result;
}

/// The definition in args.h once more: the quotients and the product in double, which rounds to the same f32,
/// and rounding to even by hand.
Rounded expected(const std::vector<float>& x, std::size_t block) {
  Rounded want;
  for (std::size_t at = 0; at < x.size(); at += block) {
    float amax = 0;
    bool finite = true;
    for (std::size_t i = 0; i < block; ++i) {
      finite = finite && std::isfinite(x[at + i]);
      amax = std::max(amax, std::abs(x[at + i]));
    }
    const bool codes = finite && amax >= 0x1p-100f;
    const auto inverse = static_cast<float>(127.0 / static_cast<double>(amax));
    float step = codes ? static_cast<float>(static_cast<double>(amax) / 127.0) : 0.0f;
    if (!finite) step = std::numeric_limits<float>::quiet_NaN();
    want.steps.push_back(bits_of(step));
    for (std::size_t i = 0; i < block; ++i) {
      const auto product = static_cast<float>(static_cast<double>(x[at + i]) * static_cast<double>(inverse));
      const float lower = std::floor(product), rest = product - lower;
      const bool up = rest > 0.5f || (rest == 0.5f && std::fmod(lower, 2.0f) != 0.0f);
      want.codes.push_back(static_cast<std::int8_t>(codes ? lower + (up ? 1.0f : 0.0f) : 0.0f));
    }
  }
  for (std::size_t i = 0; i < want.codes.size(); i += 16) {
    int sum = 0;
    for (std::size_t j = 0; j < 16; ++j) sum += want.codes[i + j];
    want.sums.push_back(static_cast<std::int16_t>(sum));
  }
  return want;
}

/// m rows of k: by block normal values of many sizes, ties, zeros, denormals, infinities and NaN.
std::vector<float> awkward_values(std::size_t n, std::size_t block, Rng& rng) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> x(n);
  for (std::size_t at = 0; at < n; at += block) {
    const std::size_t kind = rng.below(10);
    const float size = std::pow(2.0f, static_cast<float>(rng.between(-120, 120)));
    for (std::size_t i = 0; i < block; ++i) {
      float& value = x[at + i];
      value = size * rng.normal();
      if (kind == 0)
        value = 0.5f * static_cast<float>(rng.between(-254, 254));  // ties, once 127 is among them
      if (kind == 1) value = rng.below(2) ? 0.0f : -0.0f;
      if (kind == 2) value = std::bit_cast<float>(static_cast<std::uint32_t>(rng.below(0x800000)));
      if (kind == 3) value = rng.below(2) ? 0x1p-100f : std::bit_cast<float>(0x0d7fffffu);  // and just below
    }
    const std::size_t place = at + rng.below(block);
    if (kind == 0) x[place] = 127.0f;
    if (kind == 4) x[place] = kInfinity;
    if (kind == 5) x[place] = -kInfinity;
    if (kind == 6) x[place] = std::numeric_limits<float>::quiet_NaN();
    if (kind == 7) x[place] = -std::numeric_limits<float>::max();
    if (kind == 8) x[place] = std::bit_cast<float>(0xff800001u);  // a signalling NaN
  }
  return x;
}

TEST_P(RoundRows, GiveTheDefinedBits) {
  Rng rng(base_seed());
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t m = 1 + rng.below(4), k = block() * (1 + rng.below(7));
    const std::vector<float> x = awkward_values(m * k, block(), rng);
    const Rounded got = run(row(), x, m, k, block()), want = expected(x, block());
    const auto where = ::testing::Message()
                       << label() << ": m " << m << ", k " << k << ", seed " << base_seed();
    ASSERT_EQ(got.steps, want.steps) << where;
    ASSERT_EQ(got.codes, want.codes) << where;
    ASSERT_EQ(got.sums, want.sums) << where;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, RoundRows,
                         testing::ValuesIn(kernels::round_rows().begin(), kernels::round_rows().end()),
                         test_name<kernels::RoundRow>);

}  // namespace
}  // namespace armature::test
