#include <gtest/gtest.h>

#include <chrono>

#include "gguf/reader.h"
#include "tests/support/allocation_count.h"
#include "tests/support/model_run.h"
#include "tests/support/simple_reader.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

/// Seconds and bytes that one parse() takes; the result must be an acceptance.
struct Cost {
  double seconds;
  std::size_t bytes, allocations;
};
Cost cost_of(const Bytes& file) {
  const std::size_t bytes = allocated_bytes(), count = n_allocations();
  const auto start = std::chrono::steady_clock::now();
  const gguf::File parsed = gguf::parse(file, "large.gguf");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {taken.count(), allocated_bytes() - bytes, n_allocations() - count};
}

constexpr std::size_t kMegabyte = 1 << 20;

TEST(GgufLimits, ManyKeys) {  // KV-23
  TinyModel model;
  for (int i = 0; i < 100000; ++i)
    model.keys.push_back({"k" + std::to_string(i), number(gguf::ValueType::U8), to_bytes<std::uint8_t>(1)});
  const Bytes file = model.bytes();
  const Cost cost = cost_of(file);
  EXPECT_LT(cost.seconds, 1.0);
  EXPECT_LE(cost.bytes, 4 * file.size() + kMegabyte);
  EXPECT_LT(cost.allocations, 100u);
  expect_run_answers_as_good(file);
}

/// A name of three letters, the shortest that are enough for many names.
std::string short_name(int i) {
  std::string name;
  for (int k = 0; k < 3; ++k, i /= 94) name += static_cast<char>('!' + i % 94);
  return name;
}

// The most entries that a file can pay for with its bytes.
TEST(GgufLimits, SmallestKeysStayBelowTheBoundOnMemory) {
  TinyModel model;
  model.tensors.clear();
  model.keys.clear();
  for (int i = 0; i < 94 * 94 * 94; ++i)
    model.keys.push_back({short_name(i), number(gguf::ValueType::U8), to_bytes<std::uint8_t>(1)});
  const Bytes file = model.bytes();
  EXPECT_LE(cost_of(file).bytes, 4 * file.size() + kMegabyte);
}

TEST(GgufLimits, SmallestTensorsStayBelowTheBoundOnMemory) {
  TinyModel model;
  model.keys.clear();
  model.tensors.clear();
  model.alignment = 1;
  model.set("general.alignment", 1u);
  for (int i = 0; i < 200000; ++i)
    model.tensors.push_back({short_name(i), {1}, gguf::TensorType::I8, Bytes(1)});
  const Bytes file = model.bytes();
  const std::uint64_t metadata_size = gguf::parse(file, "f").data_start;
  EXPECT_LE(cost_of(file).bytes, 4 * metadata_size + kMegabyte);
}

TEST(GgufLimits, ManyTensors) {  // TEN-34
  TinyModel model;
  for (int i = 0; i < 50000; ++i)
    model.tensors.push_back({"extra." + std::to_string(i), {8}, gguf::TensorType::F32, Bytes(32)});
  const Bytes file = model.bytes();
  const Cost cost = cost_of(file);
  EXPECT_LT(cost.seconds, 1.0);
  EXPECT_LE(cost.bytes, 4 * gguf::parse(file, "f").data_start + kMegabyte);
  EXPECT_LT(cost.allocations, 100u);
  expect_run_answers_as_good(file);
}

// A count that the size of the file allows but its keys do not must not reserve memory for itself.
TEST(GgufLimits, CountsThatTheDataSectionSeemsToPayFor) {
  TinyModel model;
  model.set_tensor("large", {16 * kMegabyte}, gguf::TensorType::I8, Bytes(16 * kMegabyte));
  Bytes file = model.bytes();
  const Bytes claim = to_bytes<std::uint64_t>(kMegabyte);
  for (std::size_t at : {std::size_t{8}, std::size_t{16}}) {
    Bytes lying = file;
    std::copy(claim.begin(), claim.end(), lying.begin() + static_cast<std::ptrdiff_t>(at));
    const std::size_t before = allocated_bytes();
    EXPECT_THROW(gguf::parse(lying, "lying.gguf"), Error);
    EXPECT_LT(allocated_bytes() - before, kMegabyte);
  }
}

// A vocabulary's worth of strings is passed without an allocation each.
TEST(GgufLimits, LongArraysCostNothing) {
  TinyModel model;
  model.set("tokenizer.ggml.tokens", std::vector<std::string>(200000, "token"));
  const Cost cost = cost_of(model.bytes());
  EXPECT_LT(cost.seconds, 1.0);
  EXPECT_LT(cost.bytes, kMegabyte);
}

}  // namespace
}  // namespace armature::test
