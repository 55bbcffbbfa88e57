#include "gguf/metadata.h"

#include <gmock/gmock.h>

#include "gguf/reader.h"
#include "tests/support/tiny_model.h"

namespace armature::gguf {
namespace {

using test::Bytes;
using test::TinyModel;
using testing::HasSubstr;

constexpr std::uint64_t kAny = ~std::uint64_t{0};

/// The error that a call must throw.
template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorCode::io, "no error");
}

class MetadataTest : public testing::Test {
 protected:
  const Metadata& read(const TinyModel& model) {
    bytes_ = model.bytes();
    file_ = parse(bytes_, "m.gguf");
    return file_.metadata;
  }

 private:
  Bytes bytes_;
  File file_;
};

TEST_F(MetadataTest, IntegersOfAnyWidth) {  // KV-26
  TinyModel model;
  model.set<std::uint8_t>("a", 200).set<std::int8_t>("b", 100).set<std::uint16_t>("c", 60000);
  model.set<std::int16_t>("d", 30000).set<std::uint64_t>("e", 1).set<std::int64_t>("f", 2);
  const Metadata& metadata = read(model);
  EXPECT_EQ(metadata.require_uint("a", 0, kAny), 200u);
  EXPECT_EQ(metadata.require_uint("b", 0, kAny), 100u);
  EXPECT_EQ(metadata.require_uint("c", 0, kAny), 60000u);
  EXPECT_EQ(metadata.require_uint("d", 0, kAny), 30000u);
  EXPECT_EQ(metadata.require_uint("e", 0, kAny), 1u);
  EXPECT_EQ(metadata.require_uint("f", 0, kAny), 2u);
  EXPECT_EQ(metadata.require_uint("llama.block_count", 1, 1024), 2u);
}

TEST_F(MetadataTest, IntegersOutOfRange) {  // KV-27
  TinyModel model;
  model.set<std::int32_t>("negative", -1).set<std::uint64_t>("large", std::uint64_t{1} << 40).set("zero", 0u);
  const Metadata& metadata = read(model);
  for (const char* key : {"negative", "large", "zero"}) {
    const Error error = error_of([&] { metadata.find_uint(key, 1, 1024); });
    EXPECT_EQ(error.code(), ErrorCode::bad_value) << key;
    EXPECT_THAT(error.what(), HasSubstr("1 to 1024 is allowed"));
    EXPECT_EQ(error.place().offset, metadata.find(key)->offset);
  }
  EXPECT_THAT(error_of([&] { metadata.find_uint("negative", 0, kAny); }).what(), HasSubstr("value -1; "));
  EXPECT_THAT(error_of([&] { metadata.find_uint("zero", 1, kAny); }).what(),
              HasSubstr("'zero': value 0; at least 1 is needed"));
}

TEST_F(MetadataTest, WrongTypes) {  // KV-25
  const Metadata& metadata = read(TinyModel());
  const auto expect_wrong = [&metadata](const char* key, auto call, const char* found, const char* wanted) {
    const Error error = error_of(call);
    EXPECT_EQ(error.code(), ErrorCode::wrong_key_type);
    EXPECT_THAT(error.what(), HasSubstr(std::string("type ") + found + "; " + wanted));
    EXPECT_EQ(error.place().offset, metadata.find(key)->offset - 4);
  };
  const char* integer = "llama.block_count";
  const char* text = "general.architecture";
  const char* tokens = "tokenizer.ggml.tokens";
  const char* real = "llama.rope.freq_base";
  expect_wrong(
      text, [&] { metadata.find_uint(text, 0, kAny); }, "string", "an integer");
  expect_wrong(
      real, [&] { metadata.find_uint(real, 0, kAny); }, "f32", "an integer");
  expect_wrong(
      integer, [&] { metadata.require_string(integer); }, "u32", "string");
  expect_wrong(
      integer, [&] { metadata.find_float(integer); }, "u32", "f32 or f64");
  expect_wrong(
      integer, [&] { metadata.find_bool(integer); }, "u32", "bool");
  expect_wrong(
      text, [&] { metadata.find_strings(text); }, "string", "array of string");
  expect_wrong(
      tokens, [&] { metadata.find_ints(tokens); }, "array of string", "array of integers");
  expect_wrong(
      tokens, [&] { metadata.find_floats(tokens); }, "array of string", "array of f32");
  expect_wrong(
      tokens, [&] { metadata.find_bools(tokens); }, "array of string", "array of bool");
}

TEST_F(MetadataTest, Absent) {
  const Metadata& metadata = read(TinyModel());
  EXPECT_EQ(metadata.find("nothing"), nullptr);
  EXPECT_FALSE(metadata.find_uint("nothing", 0, kAny));
  EXPECT_FALSE(metadata.find_strings("nothing"));
  const Error error = error_of([&] { metadata.require_uint("llama.x", 0, kAny); });
  EXPECT_EQ(error.code(), ErrorCode::missing_key);
  EXPECT_THAT(error.what(), HasSubstr("m.gguf: key 'llama.x': missing"));
  EXPECT_EQ(Metadata().find("anything"), nullptr);
}

TEST_F(MetadataTest, Arrays) {
  TinyModel model;
  model.set("ints", std::vector<std::int16_t>{-1, 2}).set("floats", std::vector<double>{0.5, -2});
  model.set("bools", std::vector<bool>{true, false}).set("none", std::vector<std::uint32_t>{});
  model.set("large", std::vector<std::uint64_t>{1, kAny});
  const Metadata& metadata = read(model);
  EXPECT_EQ(metadata.find_ints("ints"), (std::vector<std::int64_t>{-1, 2}));
  EXPECT_EQ(metadata.find_floats("floats"), (std::vector<float>{0.5f, -2.0f}));
  EXPECT_EQ(metadata.find_bools("bools"), (std::vector<bool>{true, false}));
  EXPECT_EQ(metadata.find_ints("none"), std::vector<std::int64_t>{});
  EXPECT_EQ(error_of([&] { metadata.find_ints("large"); }).code(), ErrorCode::bad_value);
  std::vector<std::string> tokens;
  for (std::string_view token : metadata.require_strings("tokenizer.ggml.tokens")) tokens.emplace_back(token);
  ASSERT_EQ(tokens.size(), 64u);
  EXPECT_EQ(tokens[2], "</s>");
  EXPECT_EQ(tokens[4], "a");
}

TEST_F(MetadataTest, KeysThatDoNotMatter) {  // KV-28
  TinyModel model;
  model.set("general.file_type", 9999u).set("general.quantization_version", "two");
  EXPECT_EQ(read(model).require_uint("llama.block_count", 1, 1024), 2u);
}

}  // namespace
}  // namespace armature::gguf
