#include <gtest/gtest.h>

#include "gguf/reader.h"
#include "tests/gguf/file_case.h"
#include "tests/support/simple_reader.h"

namespace armature::test {
namespace {

using enum ErrorCode;
using gguf::ValueType;

const std::string kAlignment = "general.alignment";

TinyModel laid_out_for(std::uint32_t alignment) {
  TinyModel model;
  model.alignment = alignment;
  model.set(kAlignment, alignment);
  return model;
}

void expect_weights_of(const TinyModel& model, const Bytes& bytes) {
  const gguf::File file = gguf::parse(bytes, "file.gguf");
  for (std::size_t i = 0; i < model.tensors.size(); ++i)
    EXPECT_TRUE(std::equal(model.tensors[i].data.begin(), model.tensors[i].data.end(), file.tensors[i].data));
}

FileCase alignment_case(const std::string& id, std::uint32_t value, const char* says) {
  const Bytes file = TinyModel().set(kAlignment, value).bytes();
  const std::string item = "key " + std::to_string(TinyModel().keys.size());
  return {
      id, file, {bad_alignment}, {kAlignment, std::to_string(value), says}, offset_of(file, item, "value")};
}

TEST(GgufAlignment, BadValues) {
  std::vector<FileCase> cases = {alignment_case("ALN-01", 0, "power of two")};
  for (std::uint32_t value : {3u, 33u, 48u}) cases.push_back(alignment_case("ALN-02", value, "power of two"));
  for (std::uint32_t value : {0x80000000u, 0xffffffffu, 1u << 21})
    cases.push_back(alignment_case("ALN-03", value, "1048576"));
  check_all(cases);
}

TEST(GgufAlignment, GoodValues) {  // ALN-04, ALN-05, ALN-07: the key is the last one
  for (std::uint32_t value : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 256u, 4096u, 65536u, 1u << 20}) {
    const TinyModel model = laid_out_for(value);
    check({"ALN-05 " + std::to_string(value), model.bytes(), {}, {}, {}});
    expect_weights_of(model, model.bytes());
  }
  TinyModel odd = laid_out_for(1);
  while (simple_read(odd.bytes()).metadata_size % 2 == 0) odd.key("general.name").value = string_value("odd");
  EXPECT_EQ(gguf::parse(odd.bytes(), "odd.gguf").data_start % 2, 1u);
  check({"ALN-04", odd.bytes(), {}, {}, {}});
  expect_weights_of(odd, odd.bytes());
}

TEST(GgufAlignment, OtherLayout) {
  TinyModel model = laid_out_for(4096);
  model.alignment = 32;
  const Bytes file = model.bytes();
  Bytes padded = file;
  padded.resize(file.size() + 4096);
  const std::uint64_t at = offset_of(file, "tensor 2", "offset");  // 0 and 8192 come before it
  check({"ALN-06", file, {misaligned}, {"4096"}, {}});
  EXPECT_GT(at, 0u);
}

TEST(GgufAlignment, TypesOfTheKey) {
  const Bytes one = to_bytes<std::uint32_t>(32);
  TinyModel twice;
  twice.set(kAlignment, 32u).insert_raw(0, kAlignment, number(ValueType::U32), one);
  check_all({
      {"ALN-08", twice.bytes(), {duplicate_key}, {kAlignment}, {}},
      {"ALN-09 u64", TinyModel().set<std::uint64_t>(kAlignment, 32).bytes(), {}, {}, {}},
      {"ALN-09 i32", TinyModel().set<std::int32_t>(kAlignment, 32).bytes(), {}, {}, {}},
      {"ALN-09 string", TinyModel().set(kAlignment, "32").bytes(), {wrong_key_type}, {"string"}, {}},
      {"ALN-09 float", TinyModel().set(kAlignment, 32.0f).bytes(), {wrong_key_type}, {"f32"}, {}},
      {"ALN-09 array",
       TinyModel().set(kAlignment, std::vector<std::uint32_t>{32}).bytes(),
       {wrong_key_type},
       {"array of u32", "integer"},
       {}},
  });
}

TEST(GgufData, CutShort) {
  const TinyModel model;
  const Bytes good = model.bytes();
  const gguf::File file = gguf::parse(good, "good.gguf");
  const std::uint64_t table_end = simple_read(good).metadata_size;
  const auto says = [](std::size_t tensor, std::uint64_t end, std::uint64_t size) {
    return std::vector<std::string>{"tensor " + std::to_string(tensor) + " ", std::to_string(end),
                                    std::to_string(size), "incomplete download?"};
  };
  const auto offset_at = [&good](std::size_t tensor) {
    return offset_of(good, "tensor " + std::to_string(tensor), "offset");
  };
  const gguf::TensorInfo& first = file.tensors.front();
  const gguf::TensorInfo& last = file.tensors.back();
  const std::uint64_t last_end = last.offset + last.size;
  const std::uint64_t half = file.tensors[9].offset + 1;
  const auto first_case = [&](const char* id, std::uint64_t size) {
    return FileCase{
        id, cut(good, size), {out_of_file}, says(0, first.offset + first.size, size), offset_at(0)};
  };
  check_all({
      first_case("DAT-01 table", table_end),
      first_case("DAT-01 data", file.data_start),
      {"DAT-01 half",
       cut(good, half),
       {out_of_file},
       says(9, file.tensors[9].offset + file.tensors[9].size, half),
       offset_at(9)},
      {"DAT-01 last",
       cut(good, last_end - 1),
       {out_of_file},
       says(20, last_end, last_end - 1),
       offset_at(20)},
  });
}

TEST(GgufData, PaddingAndBytesAtTheEnd) {
  TinyModel model;
  model.add_tensor("last", {25});  // so that padding follows it
  const Bytes good = model.bytes();
  const gguf::File file = gguf::parse(good, "good.gguf");
  Bytes unpadded = cut(good, file.tensors.back().offset + 100);
  Bytes longer = good, far_longer = good, dirty = good;
  longer.resize(good.size() + 31, std::byte{0});
  far_longer.resize(good.size() + 4096, std::byte{7});
  const std::uint64_t table_end = simple_read(good).metadata_size;
  for (std::uint64_t i = table_end; i < file.data_start; ++i) dirty[i] = std::byte{0xff};
  for (std::uint64_t i = unpadded.size(); i < good.size(); ++i) dirty[i] = std::byte{0xff};
  for (const FileCase& c :
       {FileCase{"DAT-02", unpadded, {}, {}, {}}, FileCase{"31 bytes", longer, {}, {}, {}},
        FileCase{"DAT-03", far_longer, {}, {}, {}}, FileCase{"DAT-04", dirty, {}, {}, {}}}) {
    check(c);
    expect_weights_of(model, c.file);
  }
  EXPECT_TRUE(gguf::parse(unpadded, "f").warnings.empty());
  EXPECT_EQ(gguf::parse(far_longer, "f").warnings.size(), 1u);
}

}  // namespace
}  // namespace armature::test
