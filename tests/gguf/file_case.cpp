#include "tests/gguf/file_case.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "gguf/compose.h"
#include "gguf/reader.h"
#include "tests/support/allocation_count.h"
#include "tests/support/model_run.h"
#include "tests/support/simple_reader.h"

namespace armature::test {
namespace {

constexpr std::string_view kName = "case.gguf";

void expect_same(const gguf::File& file, const SimpleFile& simple, const Bytes& bytes) {
  EXPECT_EQ(file.alignment, simple.alignment);
  ASSERT_EQ(file.metadata.keys().size(), simple.keys.size());
  for (std::size_t i = 0; i < simple.keys.size(); ++i) {
    const gguf::KeyValue& got = file.metadata.keys()[i];
    const SimpleFile::Key& want = simple.keys[i];
    EXPECT_EQ(got.key, want.name);
    EXPECT_EQ(number(got.type), want.type);
    EXPECT_EQ(number(got.element), want.element);
    EXPECT_EQ(got.count, want.count);
    EXPECT_EQ(got.offset, want.value_offset);
    EXPECT_EQ(got.value, bytes.data() + want.first_offset);
    EXPECT_EQ(file.metadata.find(want.name), &got);
  }
  ASSERT_EQ(file.tensors.size(), simple.tensors.size());
  for (std::size_t i = 0; i < simple.tensors.size(); ++i) {
    const gguf::TensorInfo& got = file.tensors[i];
    const SimpleFile::Tensor& want = simple.tensors[i];
    EXPECT_EQ(got.name, want.name);
    EXPECT_EQ(static_cast<std::uint32_t>(got.type), want.type);
    EXPECT_EQ(std::vector(got.shape.begin(), got.shape.begin() + got.n_dims), want.shape);
    EXPECT_EQ(got.offset, want.offset);
    EXPECT_EQ(got.size, want.size);
    EXPECT_EQ(got.data, bytes.data() + want.offset);
  }
}

void expect_form(const Error& error, std::uint64_t file_size) {
  const std::string line = error.what();
  ASSERT_TRUE(error.place().offset.has_value()) << line;
  EXPECT_LE(*error.place().offset, file_size) << line;
  EXPECT_EQ(line.find(compose("{}: offset {}: ", kName, hex(*error.place().offset))), 0u) << line;
  EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](unsigned char c) { return c >= ' ' && c != 0x7f; }))
      << line;
  EXPECT_LT(line.size(), 1000u) << line;
}

}  // namespace

std::optional<ErrorCode> check_agreement(const Bytes& bytes) {
  const SimpleFile simple = simple_read(bytes);
  const std::uint64_t metadata_size = simple.metadata_size > 0 ? simple.metadata_size : bytes.size();
  const std::size_t limit = allocated_bytes() + 4 * metadata_size + (1 << 20);
  try {
    const gguf::File file = gguf::parse(bytes, kName);
    EXPECT_LE(allocated_bytes(), limit);
    EXPECT_TRUE(simple.accepted()) << "the simple reader refuses: " << simple.refusal;
    if (simple.accepted()) expect_same(file, simple, bytes);
    return std::nullopt;
  } catch (const Error& error) {
    EXPECT_LE(allocated_bytes(), limit);
    EXPECT_FALSE(simple.accepted()) << "the simple reader accepts; parse: " << error.what();
    expect_form(error, bytes.size());
    return error.code();
  }
}

void check(const FileCase& c) {
  SCOPED_TRACE(c.id);
  check_agreement(c.file);
  try {
    gguf::parse(c.file, kName);
    ASSERT_TRUE(c.codes.empty()) << "accepted; expected " << name_of(c.codes.front());
    if (c.model_says.empty()) {
      expect_run_answers_as_good(c.file);
    } else {
      expect_run_refuses(c.file, c.model_says);
    }
  } catch (const Error& error) {
    const auto is_expected = std::find(c.codes.begin(), c.codes.end(), error.code()) != c.codes.end();
    EXPECT_TRUE(is_expected) << name_of(error.code()) << ": " << error.what();
    for (const std::string& part : c.says) EXPECT_THAT(error.what(), testing::HasSubstr(part));
    if (c.at) {
      EXPECT_EQ(hex(*error.place().offset), hex(*c.at)) << error.what();
    }
    expect_run_refuses(c.file, error);
  }
}

void check_all(const std::vector<FileCase>& cases) {
  for (const FileCase& c : cases) check(c);
}

std::uint64_t offset_of(const Bytes& file, const std::string& item, const std::string& part) {
  return simple_read(file).field(item, part).offset;
}

}  // namespace armature::test
