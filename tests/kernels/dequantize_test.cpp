#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/kernels/format_reference.h"
#include "tests/kernels/operands.h"
#include "tests/kernels/row_test.h"
#include "tests/kernels/vectors.h"

namespace armature::test {
namespace {

using gguf::TensorType;

class DequantizeRows : public RowTest<kernels::DequantizeRow> {};
class DequantizeVectors : public DequantizeRows {};
class DequantizeBf16 : public DequantizeRows {};

std::vector<kernels::DequantizeRow> rows_where(bool (*wanted)(TensorType)) {
  std::vector<kernels::DequantizeRow> some;
  for (const kernels::DequantizeRow& row : kernels::dequantize_rows())
    if (wanted(row.weights)) some.push_back(row);
  return some;
}

/// The same bits, where a NaN matches any NaN and a zero any zero.
bool same(float got, float want) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want;
}

TEST_P(DequantizeVectors, MatchBitForBit) {
  const std::string name(gguf::type_info(row().weights).name);
  const auto file = read_vectors(name + ".decode.bin");
  if (!file) GTEST_SKIP() << "no " << kQuantVectors << name << ".decode.bin";
  const auto header = elements<std::uint32_t>(*file, 28, 8);
  const std::size_t n_blocks = header[0], block_bytes = header[1], block_weights = header[2];
  const auto blocks = elements<std::uint8_t>(*file, header[6], n_blocks * block_bytes);
  const auto want = elements<float>(*file, header[7], n_blocks * block_weights);

  Guarded<std::uint8_t> in(blocks.size(), 1);
  std::copy(blocks.begin(), blocks.end(), in.data());
  Guarded<float> got(want.size());
  row().run({got.data(), in.data(), want.size()});
  for (std::size_t i = 0; i < want.size(); ++i)
    ASSERT_TRUE(same(got[i], want[i])) << label() << ": block " << i / block_weights << ", weight "
                                       << i % block_weights << ": " << got[i] << ", not " << want[i];
}

TEST_P(DequantizeRows, MatchTheFormat) {
  Rng rng(base_seed());
  const std::size_t block = gguf::type_info(row().weights).block_size;
  for (WeightFill kind : {WeightFill::Random, WeightFill::ZeroBits, WeightFill::OneBits, WeightFill::SignBits,
                          WeightFill::Zero, WeightFill::TinyScales, WeightFill::HugeScales})
    for (std::size_t n_blocks : {1u, 2u, 3u, 7u, 33u}) {
      Weights w(row().weights, 1, n_blocks * block, rng);
      w.fill(kind, rng);
      Guarded<float> got(w.k());
      row().run({got.data(), w.row(0), w.k()});
      EXPECT_TRUE(got.surroundings_intact());
      for (std::size_t i = 0; i < w.k(); ++i) {
        const auto want = static_cast<float>(stored_weight(w.type(), w.row(0), i).value());
        ASSERT_TRUE(same(got[i], want)) << label() << ": k " << w.k() << ", seed " << base_seed()
                                        << ", weight " << i << ": " << got[i] << ", not " << want;
      }
    }
}

/// The bits of BF16 are those of the upper half of f32, denormals and signed zeros included.
TEST_P(DequantizeBf16, TakesItAsItIs) {
  const std::uint16_t bits[] = {0x47c0, 0x0001, 0x8000, 0x7f80, 0xff80, 0x807f, 0x3f80};
  float got[std::size(bits)];
  row().run({got, reinterpret_cast<const std::uint8_t*>(bits), std::size(bits)});
  for (std::size_t i = 0; i < std::size(bits); ++i)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::uint32_t{bits[i]} << 16) << label();
  EXPECT_EQ(got[0], 98304.0f);
}

INSTANTIATE_TEST_SUITE_P(Table, DequantizeRows,
                         testing::ValuesIn(rows_where([](TensorType) { return true; })),
                         test_name<kernels::DequantizeRow>);
INSTANTIATE_TEST_SUITE_P(Table, DequantizeVectors, testing::ValuesIn(rows_where([](TensorType type) {
                           return type != TensorType::F32;
                         })),
                         test_name<kernels::DequantizeRow>);
INSTANTIATE_TEST_SUITE_P(Table, DequantizeBf16, testing::ValuesIn(rows_where([](TensorType type) {
                           return type == TensorType::BF16;
                         })),
                         test_name<kernels::DequantizeRow>);

}  // namespace
}  // namespace armature::test
