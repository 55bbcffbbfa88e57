#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "tests/gguf/file_case.h"
#include "tests/support/simple_reader.h"

// Every change of a kind made to a good file. Each outcome must be an acceptance on which both readers agree,
// or an error with a place in the file; check_agreement() looks at that and at the memory used.
namespace armature::test {
namespace {

/// Fails when one input takes longer than a second.
std::optional<ErrorCode> timed_check(const Bytes& file) {
  const auto start = std::chrono::steady_clock::now();
  const auto code = check_agreement(file);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  return code;
}

TEST(GgufSweep, EveryPrefix) {
  const Bytes good = TinyModel().bytes();
  const std::uint64_t metadata_size = simple_read(good).metadata_size;
  const std::uint64_t data_start = (metadata_size + 31) / 32 * 32;
  for (std::uint64_t n = 0; n <= data_start; ++n) EXPECT_TRUE(timed_check(cut(good, n))) << n;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const std::uint64_t n = data_start + i * (good.size() - data_start) / 64;
    EXPECT_TRUE(timed_check(cut(good, n))) << n;
  }
}

TEST(GgufSweep, EveryBit) {
  Bytes file = TinyModel().bytes();
  const std::uint64_t metadata_size = simple_read(file).metadata_size;
  for (std::uint64_t bit = 0; bit < 8 * metadata_size && !HasFailure(); ++bit) {
    SCOPED_TRACE(bit);
    const std::byte mask{static_cast<unsigned char>(1u << bit % 8)};
    file[bit / 8] ^= mask;
    timed_check(file);
    file[bit / 8] ^= mask;
  }
}

std::vector<std::uint64_t> odd_values(std::uint64_t truth, std::uint64_t left) {
  std::vector<std::uint64_t> values = {0,        1,    ~std::uint64_t{0}, truth - 1, truth + 1,
                                       left - 1, left, left + 1};
  for (int n : {7, 8, 15, 16, 31, 32, 61, 62, 63}) values.push_back(std::uint64_t{1} << n);
  for (int n : {31, 32, 63}) values.push_back((std::uint64_t{1} << n) - 1);
  return values;
}

void put(Bytes& file, const SimpleFile::Field& field, std::uint64_t value) {
  for (std::uint64_t i = 0; i < field.size; ++i)
    file[field.offset + i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
}

std::uint64_t get(const Bytes& file, const SimpleFile::Field& field) {
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < field.size; ++i)
    value |= std::to_integer<std::uint64_t>(file[field.offset + i]) << (8 * i);
  return value;
}

/// G with alignment, nested arrays and a type of blocks, so that more kinds of fields are met.
TinyModel rich_model() {
  TinyModel model;
  Bytes inner = array_value(number(gguf::ValueType::U8), 2, Bytes(2));
  append(inner, array_value(number(gguf::ValueType::String), 1, string_value("text")));
  model.insert_raw(3, "x.nested", number(gguf::ValueType::Array),
                   array_value(number(gguf::ValueType::Array), 2, inner));
  model.set("general.alignment", 32u).set("x.bools", std::vector<bool>{true, false});
  model.set_tensor("x.blocks", {2, 64}, gguf::TensorType::Q4_0, Bytes(72));
  return model;
}

TEST(GgufSweep, EveryFieldWithOddValues) {
  Bytes file = rich_model().bytes();
  const SimpleFile layout = simple_read(file);
  ASSERT_TRUE(layout.accepted()) << layout.refusal;
  for (const SimpleFile::Field& field : layout.fields) {
    if (field.is_text || field.size < 4 || HasFailure()) continue;
    SCOPED_TRACE(field.item + ", " + field.part);
    const std::uint64_t truth = get(file, field);
    for (std::uint64_t value : odd_values(truth, file.size() - field.offset)) {
      put(file, field, value);
      timed_check(file);
    }
    put(file, field, truth);
  }
}

TinyModel small_model(std::uint32_t n_layer, std::uint32_t n_vocab) {
  TinyConfig config;
  config.n_layer = n_layer;
  config.n_vocab = n_vocab;
  config.n_embd = 8;
  config.n_ff = 8;
  return TinyModel(config);
}

TEST(GgufSweep, EveryPairOfSplicedFiles) {
  TinyModel version_2 = small_model(1, 8), aligned = small_model(1, 12), bare = small_model(0, 4);
  version_2.version = 2;
  aligned.alignment = 64;
  aligned.set("general.alignment", 64u);
  bare.tensors.clear();
  const std::vector<Bytes> files = {version_2.bytes(), aligned.bytes(), bare.bytes(),
                                    small_model(2, 5).bytes()};
  std::mt19937 random(1);  // of the place in the second file, besides the same field
  for (const Bytes& head : files) {
    for (const Bytes& tail : files) {
      const SimpleFile heads = simple_read(head), tails = simple_read(tail);
      for (std::size_t i = 0; i < heads.fields.size() && !HasFailure(); ++i) {
        for (int k = 0; k < 6; ++k) {
          const std::size_t j =
              k == 0 ? std::min(i, tails.fields.size() - 1) : random() % tails.fields.size();
          Bytes spliced = cut(head, heads.fields[i].offset);
          spliced.insert(spliced.end(), tail.begin() + static_cast<std::ptrdiff_t>(tails.fields[j].offset),
                         tail.end());
          timed_check(spliced);
        }
      }
    }
  }
}

}  // namespace
}  // namespace armature::test
