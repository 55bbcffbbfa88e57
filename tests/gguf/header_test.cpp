#include <gtest/gtest.h>

#include <algorithm>

#include "gguf/reader.h"
#include "tests/gguf/file_case.h"
#include "tests/support/simple_reader.h"

namespace armature::test {
namespace {

using enum ErrorCode;

Bytes text(std::string_view s) { return to_bytes(std::span<const char>(s)); }

Bytes joined(Bytes first, const Bytes& second) {
  append(first, second);
  return first;
}

Bytes header(std::uint32_t version, std::uint64_t n_tensors, std::uint64_t n_keys) {
  Bytes out = text("GGUF");
  append(out, to_bytes(version));
  append(out, to_bytes(n_tensors));
  append(out, to_bytes(n_keys));
  return out;
}

/// A file of F32 tensors as a writer of the other byte order makes it: every number reversed, weights too.
Bytes byte_swapped(Bytes file) {
  const SimpleFile layout = simple_read(file);
  const auto reverse = [&file](std::uint64_t offset, std::uint64_t size) {
    std::reverse(file.data() + offset, file.data() + offset + size);
  };
  for (const SimpleFile::Field& field : layout.fields)
    if (!field.is_text && field.part != "magic") reverse(field.offset, field.size);
  for (const SimpleFile::Tensor& tensor : layout.tensors)
    for (std::uint64_t i = 0; i < tensor.size; i += 4) reverse(tensor.offset + i, 4);
  return file;
}

TEST(GgufHeader, Size) {
  const Bytes good = TinyModel().bytes();
  check_all({
      {"HDR-01", {}, {too_short}, {"empty file"}, 0},
      {"HDR-02", text("GGU"), {too_short}, {"4 bytes"}, 0},
      {"HDR-03", text("GGUF"), {too_short}, {"version"}, 4},
      {"HDR-14 12", cut(good, 12), {too_short}, {"number of tensors"}, 8},
      {"HDR-14 23", cut(good, 23), {too_short}, {"number of keys"}, 16},
      {"HDR-15", cut(good, 24), {too_short}, {"key 0"}, 24},
  });
}

TEST(GgufHeader, Magic) {
  const Bytes good = TinyModel().bytes();
  Bytes zip = text("PK\x03\x04");
  zip.resize(1000);
  Bytes safetensors = joined(to_bytes<std::uint64_t>(80), text(R"({"__metadata__":{"format":"pt"}})"));
  safetensors.resize(100, std::byte{' '});
  const auto with_magic = [&good](std::string_view magic) {
    Bytes file = good;
    std::copy_n(text(magic).begin(), 4, file.begin());
    return file;
  };
  check_all({
      {"HDR-04 GGML", with_magic("GGML"), {bad_magic}, {"not GGUF", "'GGML'", "older format"}, 0},
      {"HDR-04 tjgg", with_magic("tjgg"), {bad_magic}, {"not GGUF", "'tjgg'", "older format"}, 0},
      {"HDR-04 fmgg", with_magic("fmgg"), {bad_magic}, {"not GGUF", "'fmgg'", "older format"}, 0},
      {"HDR-04 algg", with_magic("algg"), {bad_magic}, {"not GGUF", "'algg'", "older format"}, 0},
      {"HDR-05", with_magic("FUGG"), {wrong_endian}, {"other byte order"}, 0},
      {"HDR-06", joined(text("\xef\xbb\xbf"), good), {bad_magic}, {"byte order mark"}, 0},
      {"HDR-07 zeros", Bytes(1024), {bad_magic}, {"'\\x00\\x00\\x00\\x00'", "zeros"}, 0},
      {"HDR-07 text", text("To whom it may concern: hello\n"), {bad_magic}, {"a text file"}, 0},
      {"HDR-07 zip", zip, {bad_magic}, {"not GGUF", "zip"}, 0},
      {"HDR-07 safetensors", safetensors, {bad_magic}, {"safetensors"}, 0},
      {"HDR-07 LFS", text("version https://git-lfs.github.com/spec/v1\n"), {bad_magic}, {"Git LFS"}, 0},
      {"HDR-07 nothing known", text("\x01\x02\x03\x04\x05"), {bad_magic}, {"not GGUF"}, 0},
  });
}

TEST(GgufHeader, Version) {
  const Bytes good = TinyModel().bytes();
  const auto with_version = [&good](std::uint32_t version) { return patched(good, 4, version); };
  Bytes version_1 = text("GGUF");
  append(version_1, to_bytes<std::uint32_t>(1));
  append(version_1, to_bytes<std::uint32_t>(0));
  append(version_1, to_bytes<std::uint32_t>(1));
  append(version_1, to_bytes<std::uint32_t>(20));
  append(version_1, text("general.architecture"));
  check_all({
      {"HDR-08", with_version(0), {bad_version}, {"version 0 is not supported"}, 4},
      {"HDR-09", version_1, {bad_version}, {"version 1 is not supported; 2 and 3 are"}, 4},
      {"HDR-10", with_version(2), {}, {}, {}},
      {"HDR-11 4", with_version(4), {bad_version}, {"version 4 is not supported"}, 4},
      {"HDR-11 max", with_version(0xffffffff), {bad_version}, {"4294967295"}, 4},
      {"HDR-12", with_version(0x03000000), {wrong_endian}, {"other byte order"}, 4},
      {"HDR-13", byte_swapped(good), {wrong_endian}, {"other byte order"}, 4},
  });
  EXPECT_EQ(gguf::parse(with_version(2), "v2").version, 2u);
}

TEST(GgufHeader, Counts) {
  const TinyModel model;
  const Bytes good = model.bytes();
  const std::uint64_t n_keys = model.keys.size();
  std::vector<FileCase> cases;
  for (std::uint64_t n :
       {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 60, std::uint64_t{1} << 31})
    cases.push_back({"HDR-16", patched(good, 8, n), {bad_count}, {std::to_string(n) + " tensors"}, 8});
  for (std::uint64_t n : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 32})
    cases.push_back({"HDR-17", patched(good, 16, n), {bad_count}, {std::to_string(n) + " keys"}, 16});
  cases.push_back({"HDR-18", patched<std::uint64_t>(good, 8, 22), {bad_tensor_name}, {"tensor 21"}, {}});
  cases.push_back({"HDR-19", patched<std::uint64_t>(good, 8, 20), {}, {}, {}, "output_norm.weight"});
  // The rank, 2, is taken for the type u16: the table is then read from the middle of a dimension on.
  cases.push_back({"HDR-20", patched(good, 16, n_keys + 1), {bad_tensor_name}, {"tensor 0"}, {}});
  cases.push_back({"HDR-21", patched(good, 16, n_keys - 1), {bad_rank}, {"tensor 0", "7 dimensions"}, {}});
  cases.push_back({"HDR-22", header(3, 0, 0), {}, {}, {}, "general.architecture"});
  check_all(cases);
}

TEST(GgufHeader, GoodFile) {
  const TinyModel model;
  const Bytes good = model.bytes();
  const gguf::File file = gguf::parse(good, "good.gguf");
  EXPECT_EQ(file.name(), "good.gguf");
  EXPECT_EQ(file.version, 3u);
  EXPECT_EQ(file.alignment, 32u);
  EXPECT_EQ(file.data_start % 32, 0u);
  EXPECT_EQ(file.size, good.size());
  EXPECT_EQ(file.tensors.size(), 21u);
  EXPECT_TRUE(file.warnings.empty());
  EXPECT_EQ(file.tensors.front().rows(), 64u);
  EXPECT_EQ(file.tensors.front().cols(), 32u);
  for (std::size_t i = 0; i < model.tensors.size(); ++i)
    EXPECT_TRUE(std::equal(model.tensors[i].data.begin(), model.tensors[i].data.end(), file.tensors[i].data));
}

}  // namespace
}  // namespace armature::test
