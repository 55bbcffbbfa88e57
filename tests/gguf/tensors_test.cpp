#include <gtest/gtest.h>

#include "gguf/reader.h"
#include "tests/gguf/file_case.h"

namespace armature::test {
namespace {

using enum ErrorCode;
using gguf::TensorType;

constexpr std::uint64_t kMax = ~std::uint64_t{0};
constexpr std::uint64_t power(int n) { return std::uint64_t{1} << n; }

const std::string kT = "blk.1.ffn_up.weight";
const std::string kL = "output_norm.weight";  // the last of the table

std::string item_of(const TinyModel& model, const std::string& name) {
  for (std::size_t i = 0; i < model.tensors.size(); ++i)
    if (model.tensors[i].name == name) return "tensor " + std::to_string(i);
  return "no tensor";
}

/// A case about one tensor: what it says begins with the tensor, and the offset is that of a field of it.
FileCase tensor_case(const std::string& id, const TinyModel& model, const std::string& name, ErrorCode code,
                     std::vector<std::string> says, const std::string& part) {
  const std::string item = item_of(model, name);
  says.push_back(item);
  const Bytes file = model.bytes();
  return {id, file, {code}, std::move(says), offset_of(file, item, part)};
}

TinyModel with_shape(const std::string& name, std::vector<std::uint64_t> innermost_first) {
  TinyModel model;
  model.tensor(name).shape.assign(innermost_first.rbegin(), innermost_first.rend());
  return model;
}

TinyModel with_type(std::uint32_t type) {
  TinyModel model;
  model.tensor(kT).type = static_cast<TensorType>(type);
  return model;
}

TinyModel with_extra(const std::string& name) { return TinyModel().add_tensor(name, {8}); }

TEST(GgufTensors, CutShort) {
  const Bytes good = TinyModel().bytes();
  std::vector<FileCase> cases;
  for (const char* part : {"length", "name", "n_dims", "dim 0", "dim 1", "type", "offset"}) {
    const std::uint64_t at = offset_of(good, "tensor 3", part);
    cases.push_back({std::string("TEN-01 ") + part, cut(good, at + 2), {too_short}, {"tensor 3"}, at});
  }
  check_all(cases);
}

TEST(GgufTensors, Names) {
  const Bytes good = TinyModel().bytes();
  const std::uint64_t at = offset_of(good, "tensor 3", "length");
  std::vector<FileCase> cases;
  for (std::uint64_t length : {kMax, power(40), std::uint64_t{good.size()}})
    cases.push_back(
        {"TEN-02", patched(good, at, length), {bad_tensor_name}, {"tensor 3", std::to_string(length)}, at});
  const auto bad = [&](const std::string& id, const std::string& name, const char* says, const char* part) {
    const Bytes file = with_extra(name).bytes();
    cases.push_back({id, file, {bad_tensor_name}, {"tensor 21", says}, offset_of(file, "tensor 21", part)});
  };
  bad("TEN-03", "", "0 bytes", "length");
  cases.push_back({"TEN-04", with_extra(std::string(64, 'n')).bytes(), {}, {}, {}});
  bad("TEN-05 65", std::string(65, 'n'), "1 to 64", "length");
  bad("TEN-05 4000", std::string(4000, 'n'), "1 to 64", "length");
  bad("TEN-06", std::string("token_embd.weight\0x", 19), "'token_embd.weight\\x00x'", "name");
  bad("TEN-07", "a\xff\xfe", "'a\\xff\\xfe'", "name");
  bad("DEL", "a\x7f", "'a\\x7f'", "name");
  cases.push_back({"UTF-8", with_extra("h\u00e9").bytes(), {}, {}, {}});
  check_all(cases);
}

TEST(GgufTensors, Duplicates) {
  TinyModel model;
  model.tensors.push_back(model.tensor(kT));
  const Bytes file = model.bytes();
  check({"TEN-08",
         file,
         {duplicate_tensor},
         {"tensor 21 '" + kT + "'", item_of(model, kT)},
         offset_of(file, "tensor 21", "name")});
}

TEST(GgufTensors, Ranks) {
  std::vector<FileCase> cases = {
      tensor_case("TEN-09", with_shape(kT, {}), kT, bad_rank, {"0 dimensions"}, "n_dims"),
      tensor_case("TEN-10 5", with_shape(kT, {1, 1, 1, 1, 1}), kT, bad_rank, {"5 dimensions"}, "n_dims"),
      {"4 dimensions", with_shape(kT, {32, 4, 4, 4}).bytes(), {}, {}, {}, "[4, 4, 4, 32]"},
  };
  const Bytes good = TinyModel().bytes();
  const std::uint64_t at = offset_of(good, "tensor 3", "n_dims");
  cases.push_back(
      {"TEN-10 max", patched<std::uint32_t>(good, at, 0xffffffff), {bad_rank}, {"4294967295"}, at});
  check_all(cases);
}

TEST(GgufTensors, Dimensions) {
  check_all({
      tensor_case("TEN-11 inner", with_shape(kT, {0, 64}), kT, bad_dimension, {kT, "0;"}, "dim 0"),
      tensor_case("TEN-11 outer", with_shape(kT, {32, 0}), kT, bad_dimension, {kT}, "dim 1"),
      tensor_case("TEN-11 one", with_shape(kT, {0}), kT, bad_dimension, {kT}, "dim 0"),
      tensor_case("TEN-12 matrix", with_shape(kT, {power(63), 1}), kT, size_overflow, {kT}, "dim 0"),
      tensor_case("TEN-12 row", with_shape(kT, {kMax}), kT, size_overflow, {kT}, "dim 0"),
      tensor_case("TEN-13", with_shape(kL, {power(32), power(32)}), kL, size_overflow, {kL}, "dim 1"),
      tensor_case("TEN-14", with_shape(kL, {4194305, 4194305, 211106198978564}), kL, size_overflow, {kL},
                  "dim 2"),
      tensor_case("TEN-15", with_shape(kL, {power(62)}), kL, size_overflow, {kL}, "dim 0"),
      tensor_case("TEN-16", with_shape(kL, {power(62) - 1}), kL, size_overflow, {kL}, "dim 0"),
  });
}

TEST(GgufTensors, UnusedTensorsAreCheckedToo) {
  const std::vector<std::vector<std::uint64_t>> shapes = {
      {power(32), power(32)}, {4194305, 4194305, 211106198978564}, {power(62)}, {power(62) - 1}};
  for (const auto& shape : shapes) {
    TinyModel model = with_extra("no.layer.uses");
    model.tensor("no.layer.uses").shape.assign(shape.rbegin(), shape.rend());
    check({"TEN-17", model.bytes(), {size_overflow}, {"tensor 21 'no.layer.uses'"}, {}});
  }
}

TEST(GgufTensors, Types) {
  std::vector<FileCase> cases;
  const std::vector<std::pair<std::uint32_t, std::string>> removed = {
      {4, "Q4_2"},      {5, "Q4_3"},        {31, "Q4_0_4_4"},   {32, "Q4_0_4_8"},
      {33, "Q4_0_8_8"}, {36, "IQ4_NL_4_4"}, {37, "IQ4_NL_4_8"}, {38, "IQ4_NL_8_8"}};
  for (const auto& [type, name] : removed)
    cases.push_back(tensor_case("TEN-18", with_type(type), kT, bad_tensor_type,
                                {kT, name, "no longer part of the format"}, "type"));
  for (std::uint32_t type : {40u, 200u, 65535u, 0x80000000u, 0xffffffffu})
    cases.push_back(
        tensor_case("TEN-19", with_type(type), kT, bad_tensor_type, {kT, std::to_string(type)}, "type"));
  check_all(cases);
}

TEST(GgufTensors, EveryTypeHasItsSize) {
  for (std::uint32_t type = 0; type < 64; ++type) {
    const gguf::TypeInfo* info = gguf::find_type(type);
    if (info == nullptr) continue;
    EXPECT_EQ(gguf::type_named(info->name), info->type);
    EXPECT_TRUE(gguf::removed_type_name(type).empty());
    TinyModel model;
    model.set_tensor("x", {3, 2 * info->block_size}, info->type, Bytes(std::size_t{6} * info->block_bytes));
    check({"TEN-20 " + std::string(info->name), model.bytes(), {}, {}, {}});
    model.set_tensor("x", {3, 2 * info->block_size}, info->type,
                     Bytes(std::size_t{6} * info->block_bytes - 1));
    check({"short " + std::string(info->name),
           cut(model.bytes(), model.bytes().size() - 32),
           {out_of_file},
           {},
           {}});
  }
  EXPECT_EQ(gguf::type_named("q4_k"), TensorType::Q4_K);
  EXPECT_FALSE(gguf::type_named("Q4_"));
  EXPECT_EQ(gguf::row_bytes(TensorType::Q6_K, 512), 420u);
}

TEST(GgufTensors, Rows) {
  TinyModel q4_0 = with_shape(kT, {33, 64}), q4_k = with_shape(kT, {32, 64});
  q4_0.tensor(kT).type = TensorType::Q4_0;
  q4_k.tensor(kT).type = TensorType::Q4_K;
  check_all({
      tensor_case("TEN-21 Q4_0", q4_0, kT, bad_row, {kT, "33", "blocks of 32"}, "dim 0"),
      tensor_case("TEN-21 Q4_K", q4_k, kT, bad_row, {kT, "rows of 32", "blocks of 256"}, "dim 0"),
  });
}

TEST(GgufTensors, Offsets) {
  const TinyModel model;
  const Bytes good = model.bytes();
  const std::string item = item_of(model, kT);
  const std::uint64_t at = offset_of(good, item, "offset");
  const std::string size = std::to_string(good.size());
  std::vector<FileCase> cases;
  for (std::uint64_t offset : {1u, 16u, 33u})
    cases.push_back({"TEN-22", patched(good, at, offset), {misaligned}, {kT, std::to_string(offset)}, at});
  const std::uint64_t rounded_size = (good.size() + 31) / 32 * 32;
  for (std::uint64_t offset : {power(40), rounded_size})
    cases.push_back(
        {"TEN-23", patched(good, at, offset), {out_of_file}, {kT, std::to_string(offset), size}, at});
  for (std::uint64_t offset : {kMax - 31, power(63)})
    cases.push_back(
        {"TEN-24", patched(good, at, offset), {out_of_file}, {kT, std::to_string(offset), size}, at});
  check_all(cases);
}

TEST(GgufTensors, Overlap) {
  const TinyModel model;
  const Bytes good = model.bytes();
  const std::uint64_t at = offset_of(good, item_of(model, kT), "offset");
  const gguf::File file = gguf::parse(good, "good.gguf");
  const std::uint64_t embedding = file.tensors.front().offset - file.data_start;
  for (std::uint64_t offset : {embedding, embedding + 64})
    check({"TEN-25", patched(good, at, offset), {overlap}, {kT, "token_embd.weight"}, at});
}

/// G with the data in another order than the table.
Bytes with_data_reversed(std::uint64_t gap) {
  const TinyModel model;
  const Bytes good = model.bytes();
  const gguf::File file = gguf::parse(good, "good.gguf");
  Bytes out = cut(good, file.data_start);
  for (std::size_t i = file.tensors.size(); i-- > 0;) {
    const std::uint64_t offset = out.size() - file.data_start;
    out = patched(out, offset_of(good, "tensor " + std::to_string(i), "offset"), offset);
    append(out, model.tensors[i].data);
    out.resize((out.size() + 31) / 32 * 32 + gap);
  }
  return out;
}

TEST(GgufTensors, OrderAndGaps) {
  const TinyModel model;
  const Bytes reversed = with_data_reversed(0), apart = with_data_reversed(64);
  check({"TEN-26", reversed, {}, {}, {}});
  check({"TEN-27", apart, {}, {}, {}});
  EXPECT_TRUE(gguf::parse(reversed, "reversed.gguf").warnings.empty());
  EXPECT_EQ(gguf::parse(apart, "apart.gguf").warnings.size(), 2u);  // gaps, and the end
  for (const Bytes* bytes : {&reversed, &apart}) {
    const gguf::File file = gguf::parse(*bytes, "file.gguf");
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
      EXPECT_TRUE(
          std::equal(model.tensors[i].data.begin(), model.tensors[i].data.end(), file.tensors[i].data));
  }
}

TEST(GgufTensors, UnusedNames) {
  for (const char* name :
       {"unused", "blk.-1.attn_q.weight", "blk.4294967297.attn_q.weight", "blk.99999999999999999999.x"})
    check({"TEN-28, TEN-29", with_extra(name).bytes(), {}, {}, {}});
}

}  // namespace
}  // namespace armature::test
