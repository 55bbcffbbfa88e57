#include "gguf/model_files.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

#include "gguf/split.h"
#include "tests/support/model_run.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace armature::gguf {
namespace {

using enum ErrorCode;
using test::Bytes;
using test::TempDir;
using test::TinyModel;
using testing::HasSubstr;

constexpr const char* kFirst = "m-00001-of-00002.gguf";
constexpr const char* kSecond = "m-00002-of-00002.gguf";

/// G in two files, to be changed in one thing.
struct Pair {
  TinyModel first, second;

  Pair() {
    const auto middle = first.tensors.begin() + 10;
    second.keys.clear();
    second.tensors.assign(middle, first.tensors.end());
    first.tensors.erase(middle, first.tensors.end());
    first.set<std::uint16_t>("split.no", 0).set<std::uint16_t>("split.count", 2);
    first.set<std::int32_t>("split.tensors.count", 21);
    second.set<std::uint16_t>("split.no", 1).set<std::uint16_t>("split.count", 2);
  }

  void write(const TempDir& folder) const {
    folder.write(kFirst, first.bytes());
    folder.write(kSecond, second.bytes());
  }
};

struct SplitCase {
  std::string id;
  std::function<void(Pair&)> change;
  std::vector<ErrorCode> codes;  // empty: accepted
  std::string at_fault;          // file name
  std::vector<std::string> says;
};

void check(const SplitCase& c) {
  SCOPED_TRACE(c.id);
  const TempDir folder;
  Pair pair;
  c.change(pair);
  pair.write(folder);
  try {
    ModelFiles::open(folder.path(kFirst), Access::Map);
    ASSERT_TRUE(c.codes.empty());
    test::expect_run_answers_as_good(folder.path(kFirst));
  } catch (const Error& error) {
    EXPECT_THAT(c.codes, testing::Contains(error.code())) << error.what();
    EXPECT_EQ(error.place().file, folder.path(c.at_fault)) << error.what();
    for (const std::string& part : c.says) EXPECT_THAT(error.what(), HasSubstr(part));
    test::expect_run_refuses(folder.path(kFirst), error);
  }
}

/// The error of opening a model; there must be one, and the program must print it.
Error error_of(const std::string& path) {
  try {
    ModelFiles::open(path, Access::Map);
  } catch (const Error& error) {
    test::expect_run_refuses(path, error);
    return error;
  }
  ADD_FAILURE() << path << " was accepted";
  return Error(io, "no error");
}

void expect_all_weights(const ModelFiles& files) {
  const TinyModel whole;
  EXPECT_EQ(files.n_tensors(), whole.tensors.size());
  for (const TinyModel::Tensor& want : whole.tensors) {
    const auto found = files.find_tensor(want.name);
    ASSERT_TRUE(found) << want.name;
    EXPECT_EQ(found->tensor->name, want.name);
    EXPECT_EQ(found->tensor->size, want.data.size());
    EXPECT_TRUE(std::equal(want.data.begin(), want.data.end(), found->tensor->data));
  }
  EXPECT_FALSE(files.find_tensor("nothing"));
}

TEST(ModelFiles, GoodPair) {  // SPL-01
  const TempDir folder;
  Pair().write(folder);
  for (Access access : {Access::Map, Access::Read}) {
    const ModelFiles files = ModelFiles::open(folder.path(kFirst), access);
    EXPECT_EQ(files.files().size(), 2u);
    EXPECT_EQ(files.metadata().require_string("general.architecture"), "llama");
    EXPECT_EQ(files.total_bytes(), Pair().first.bytes().size() + Pair().second.bytes().size());
    EXPECT_EQ(files.is_mapped(), access == Access::Map);
    EXPECT_NO_THROW(files.check_unchanged());
    expect_all_weights(files);
  }
  test::expect_run_answers_as_good(folder.path(kFirst));
}

TEST(ModelFiles, MovedModelKeepsItsViews) {
  const TempDir folder;
  Pair().write(folder);
  ModelFiles first = ModelFiles::open(folder.path(kFirst), Access::Read);
  const ModelFiles second = std::move(first);
  expect_all_weights(second);
}

TEST(ModelFiles, KeysOfShards) {
  const auto set_no = [](auto value) { return [value](Pair& p) { p.second.set("split.no", value); }; };
  const std::vector<SplitCase> cases = {
      {"SPL-04 0", set_no(std::uint16_t{0}), {bad_split}, kSecond, {"split.no", "value 0; 1 is needed"}},
      {"SPL-04 none", [](Pair& p) { p.second.erase_key("split.no"); }, {bad_split}, kSecond, {"missing"}},
      {"SPL-04 string", set_no("1"), {bad_split}, kSecond, {"split.no"}},
      {"SPL-04 u64", set_no(std::uint64_t{1}), {}, "", {}},
      {"SPL-05 second",
       [](Pair& p) { p.second.set<std::uint16_t>("split.count", 3); },
       {bad_split},
       kSecond,
       {"split.count", "value 3; 2 is needed"}},
      {"SPL-05 name",
       [](Pair& p) { p.first.set<std::uint16_t>("split.count", 3); },
       {bad_split},
       kFirst,
       {"split.count", "3", "says 2"}},
      {"first is second",
       [](Pair& p) { p.first.set<std::uint16_t>("split.no", 1); },
       {bad_split},
       kFirst,
       {"split.no", "0 is needed"}},
      {"SPL-07",
       [](Pair& p) { p.first.set<std::int32_t>("split.tensors.count", 99); },
       {bad_split},
       kFirst,
       {"99", "21"}},
      {"no number of tensors", [](Pair& p) { p.first.erase_key("split.tensors.count"); }, {}, "", {}},
  };
  for (const SplitCase& c : cases) check(c);
}

TEST(ModelFiles, ContentsOfShards) {
  const auto twice = [](Pair& p) { p.second.add_tensor("token_embd.weight", {4, 8}); };
  const auto short_data = [](Pair& p) { p.second.tensors.back().data.clear(); };
  const auto align = [](Pair& p) { p.second.set<std::uint32_t>("general.alignment", 64).alignment = 64; };
  const std::vector<SplitCase> cases = {
      {"SPL-06", twice, {duplicate_tensor}, kSecond, {"token_embd.weight", kFirst}},
      {"SPL-11 cut", short_data, {out_of_file}, kSecond, {"incomplete download?"}},
      {"SPL-11 alignment", align, {}, "", {}},
      {"SPL-11 version", [](Pair& p) { p.second.version = 2; }, {}, "", {}},
  };
  for (const SplitCase& c : cases) check(c);
}

TEST(ModelFiles, NamesOfShards) {
  const TempDir folder;
  const Pair pair;
  folder.write(kFirst, pair.first.bytes());
  const Error missing = error_of(folder.path(kFirst));
  EXPECT_EQ(missing.code(), io) << "SPL-02";
  EXPECT_EQ(missing.place().file, folder.path(kSecond));

  const Error unnamed = error_of(folder.write("model.gguf", pair.first.bytes()));
  EXPECT_EQ(unnamed.code(), bad_split) << "SPL-03";

  const Error second = error_of(folder.write(kSecond, pair.second.bytes()));
  EXPECT_EQ(second.code(), bad_split) << "SPL-08";
  EXPECT_THAT(second.what(), HasSubstr("give the first: '" + folder.path(kFirst) + "'"));

  TinyModel many = pair.first;
  many.set<std::uint16_t>("split.count", 65535);
  const Error far = error_of(folder.write("m-00001-of-65535.gguf", many.bytes()));
  EXPECT_EQ(far.code(), io) << "SPL-09";
  EXPECT_EQ(far.place().file, folder.path("m-00002-of-65535.gguf"));
}

TEST(ModelFiles, WholeFile) {  // SPL-10
  const TempDir folder;
  for (const std::uint16_t count : {std::uint16_t{0}, std::uint16_t{1}}) {
    const Bytes bytes = TinyModel().set("split.count", count).bytes();
    expect_all_weights(ModelFiles::open(folder.write("whole.gguf", bytes), Access::Map));
    test::expect_run_answers_as_good(bytes);
    expect_all_weights(ModelFiles::from_memory(bytes, "built-in"));
  }
}

// SPL-12: a name that looks like a shard's is only a name unless the keys say so, and no key has a path.
TEST(ModelFiles, NameAloneDoesNotMakeAShard) {
  const TempDir folder;
  TinyModel model;
  model.set("split.name", "/etc/passwd").set("split.path", "../other");
  expect_all_weights(ModelFiles::open(folder.write(kSecond, model.bytes()), Access::Map));
  test::expect_run_answers_as_good(folder.path(kSecond));
}

TEST(ModelFiles, ModelInMemoryHasOneFile) {
  const Bytes bytes = Pair().first.bytes();
  EXPECT_THROW(ModelFiles::from_memory(bytes, kFirst), Error);
  EXPECT_THROW(ModelFiles::from_memory(bytes, "built-in"), Error);
}

TEST(ModelFiles, ErrorNamesTensorAndFile) {
  const TempDir folder;
  Pair().write(folder);
  const ModelFiles files = ModelFiles::open(folder.path(kFirst), Access::Map);
  const auto found = files.find_tensor("output_norm.weight");
  ASSERT_TRUE(found);
  const Error error = files.error(wrong_shape, *found, "shape [31]; [32] is needed");
  EXPECT_EQ(error.place().file, folder.path(kSecond));
  EXPECT_EQ(error.place().offset, found->tensor->info_offset);
  EXPECT_THAT(error.what(), HasSubstr("tensor 10 'output_norm.weight': shape [31]; [32] is needed"));
}

TEST(ShardName, HasOneForm) {
  const auto name = parse_shard_name("dir/m-00002-of-00003.gguf");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->prefix, "dir/m");
  EXPECT_EQ(name->number, 2u);
  EXPECT_EQ(name->count, 3u);
  EXPECT_EQ(shard_path(*name, 1), "dir/m-00001-of-00003.gguf");
  EXPECT_EQ(shard_path(*name, 10), "dir/m-00010-of-00003.gguf");
  for (const char* bad : {"m.gguf", "-00001-of-00002.gguf", "m-00000-of-00002.gguf", "m-00003-of-00002.gguf",
                          "m-0001-of-00002.gguf", "m-00001-of-00002.bin", "m-00001_of-00002.gguf",
                          "m-+0001-of-00002.gguf", "m00001-of-00002.gguf", ""})
    EXPECT_FALSE(parse_shard_name(bad)) << bad;
}

}  // namespace
}  // namespace armature::gguf
