#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/tiny_model.h"

// Writes the seeds of fuzz_gguf: make_gguf_seeds FOLDER. Files found by the fuzzer are kept beside them.
namespace armature::test {
namespace {

using gguf::TensorType;
using gguf::ValueType;

TinyModel small_model() {
  TinyConfig config;
  config.n_layer = 1;
  config.n_embd = 8;
  config.n_ff = 8;
  config.n_vocab = 8;
  return TinyModel(config);
}

TinyModel every_value_type() {
  TinyModel model;
  model.tensors.clear();
  model.keys.clear();
  model.set<std::uint8_t>("u8", 1).set<std::int8_t>("i8", -1).set<std::uint16_t>("u16", 1);
  model.set<std::int16_t>("i16", -1).set<std::uint32_t>("u32", 1).set<std::int32_t>("i32", -1);
  model.set("f32", std::numeric_limits<float>::quiet_NaN()).set("bool", true).set("string", "text");
  model.set<std::uint64_t>("u64", 1).set<std::int64_t>("i64", -1).set("f64", 0.5);
  for (std::uint32_t element = 0; element <= 12; ++element)
    model.set_raw("empty." + std::to_string(element), number(ValueType::Array), array_value(element, 0, {}));
  model.set("strings", std::vector<std::string>{"", "a", "bc"}).set("bools", std::vector<bool>{true, false});
  return model.set("floats", std::vector<float>{1, 2}).set("ints", std::vector<std::int64_t>{-1, 1});
}

TinyModel nested_arrays(int depth) {
  TinyModel model = every_value_type();
  Bytes value;
  for (int i = 1; i < depth; ++i) append(value, array_value(number(ValueType::Array), 1, {}));
  append(value, array_value(number(ValueType::String), 1, string_value("text")));
  return model.set_raw("nested", number(ValueType::Array), value);
}

TinyModel every_block_type() {
  TinyModel model;
  model.keys.clear();
  model.tensors.clear();
  for (std::uint32_t type = 0; type < 64; ++type)
    if (const gguf::TypeInfo* info = gguf::find_type(type))
      model.set_tensor(std::string(info->name), {1, info->block_size}, info->type, Bytes(info->block_bytes));
  return model;
}

TinyModel with_type(std::uint32_t type) {
  TinyModel model = small_model();
  model.tensors.back().type = static_cast<TensorType>(type);
  return model;
}

using Seed = std::pair<std::string, Bytes>;

std::vector<Seed> good_seeds() {
  TinyModel version_2 = small_model(), aligned = small_model(), odd = small_model(), reversed = small_model();
  version_2.version = 2;
  aligned.set("general.alignment", 64u).alignment = 64;
  odd.set("general.alignment", 1u).alignment = 1;
  std::swap(reversed.tensors.front(), reversed.tensors.back());
  Bytes longer = small_model().bytes();
  longer.resize(longer.size() + 100);
  return {{"good", small_model().bytes()},
          {"version-2", version_2.bytes()},
          {"alignment-64", aligned.bytes()},
          {"alignment-1", odd.bytes()},
          {"reversed", reversed.bytes()},
          {"longer", longer},
          {"no-tensor", every_value_type().bytes()},
          {"nested-4", nested_arrays(4).bytes()},
          {"types", every_block_type().bytes()},
          {"whole-split", small_model().set<std::uint16_t>("split.count", 1).bytes()}};
}

std::vector<Seed> bad_seeds() {
  const Bytes good = small_model().bytes();
  const auto cut = [&good](std::size_t size) {
    return Bytes(good.begin(), good.begin() + std::ptrdiff_t(size));
  };
  TinyModel same_key = small_model(), same_tensor = small_model(), no_rank = small_model();
  same_key.keys.push_back(same_key.keys.front());
  same_tensor.tensors.push_back(same_tensor.tensors.front());
  no_rank.tensors.back().shape = {};
  return {{"cut-header", cut(20)},
          {"cut-keys", cut(100)},
          {"cut-data", cut(good.size() - 40)},
          {"same-key", same_key.bytes()},
          {"same-tensor", same_tensor.bytes()},
          {"rank-0", no_rank.bytes()},
          {"removed-type", with_type(31).bytes()},
          {"short-data", with_type(28).bytes()},
          {"nested-5", nested_arrays(5).bytes()},
          {"alignment-3", small_model().set("general.alignment", 3u).bytes()},
          {"split", small_model().set<std::uint16_t>("split.count", 2).bytes()}};
}

bool write(const std::filesystem::path& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(file.flush());
}

}  // namespace
}  // namespace armature::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_gguf_seeds FOLDER\n");
    return 2;
  }
  auto seeds = armature::test::good_seeds();
  for (auto& seed : armature::test::bad_seeds()) seeds.push_back(std::move(seed));
  for (const auto& [name, bytes] : seeds) {
    if (armature::test::write(std::filesystem::path(argv[1]) / (name + ".gguf"), bytes)) continue;
    std::fprintf(stderr, "cannot write %s\n", name.c_str());
    return 1;
  }
  return 0;
}
