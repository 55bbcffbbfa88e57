// `armature inspect`: what is in a file, and what would not run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "gguf/model_files.h"
#include "tests/support/program.h"
#include "tests/support/table_model.h"
#include "tests/support/vocabularies.h"

namespace armature::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Args = std::vector<std::string>;

class Inspect : public testing::Test {
 protected:
  std::string write(const TinyModel& model) const { return folder_.write("model.gguf", model); }
  json inspect(const TinyModel& model, const Args& flags = {}) const {
    return inspect_file(write(model), flags);
  }
  static json inspect_file(const std::string& path, const Args& flags = {}) {
    Args args = {"inspect", path, "--json"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Outcome outcome = run_program(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json();
  }
  std::string text(const TinyModel& model, const Args& flags = {}) const {
    Args args = {"inspect", write(model)};
    args.insert(args.end(), flags.begin(), flags.end());
    const Outcome outcome = run_program(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  TempDir folder_;
};

std::vector<std::string> codes(const json& inspection) {
  std::vector<std::string> out;
  for (const auto& problem : inspection["problems"]) out.push_back(problem["code"]);
  return out;
}

TEST_F(Inspect, FilesOwnKeysWithTheirValues) {
  TinyModel model;
  model.set("x.u8", std::uint8_t{200}).set("x.i64", std::int64_t{-5}).set("x.u64", ~std::uint64_t{0});
  model.set("x.f32", 0.1f).set("x.f64", 0.1).set("x.bool", true).set("x.text", "a\tb\xff");
  model.set("x.list", std::vector<std::int32_t>{1, -2}).set("x.none", std::vector<std::string>{});
  model.set("x.nan", std::nanf(""));
  const json found = inspect(model)["metadata"];
  EXPECT_EQ(found["general.architecture"], "llama");
  EXPECT_EQ(found["llama.block_count"], 2);
  EXPECT_EQ(found["x.u8"], 200);
  EXPECT_EQ(found["x.i64"], -5);
  EXPECT_EQ(found["x.u64"], ~std::uint64_t{0});
  EXPECT_EQ(found["x.f32"], static_cast<double>(0.1f));
  EXPECT_EQ(found["x.f64"], 0.1);
  EXPECT_EQ(found["x.bool"], true);
  EXPECT_EQ(found["x.text"], "a\tb\uFFFD");
  EXPECT_EQ(found["x.list"], json::parse("[1, -2]"));
  EXPECT_EQ(found["x.none"], json::array());
  EXPECT_EQ(found["x.nan"], nullptr);
  EXPECT_EQ(found.size(), model.keys.size());
  EXPECT_EQ(found["tokenizer.ggml.tokens"].size(), 64u);
}

TEST_F(Inspect, LongArraysAreCounted) {
  TinyModel model;
  model.set("x.long", std::vector<std::uint16_t>(1025, 7))
      .set("x.short", std::vector<std::uint16_t>(1024, 7));
  const json found = inspect(model)["metadata"];
  EXPECT_EQ(found["x.long"], json::parse(R"({"type": "array of u16", "count": 1025})"));
  EXPECT_EQ(found["x.short"].size(), 1024u);
  EXPECT_EQ(inspect(model, {"--full"})["metadata"]["x.long"].size(), 1025u);
}

TEST_F(Inspect, TensorsAndTheirCensus) {
  const TinyModel model;
  const json found = inspect(model);
  ASSERT_EQ(found["tensors"].size(), model.tensors.size());
  const auto file = gguf::ModelFiles::open(folder_.path("model.gguf"), gguf::Access::Map);
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const json& tensor = found["tensors"][i];
    const auto want = file.find_tensor(model.tensors[i].name);
    EXPECT_EQ(tensor["name"], model.tensors[i].name);
    EXPECT_EQ(tensor["type"], "F32");
    EXPECT_EQ(tensor["shape"], json(model.tensors[i].shape));
    EXPECT_EQ(tensor["bytes"], model.tensors[i].data.size());
    EXPECT_EQ(tensor["offset"], want->tensor->offset);
    EXPECT_EQ(tensor["file"], 0);
  }
  const std::uint64_t parameters = found["parameters"];
  EXPECT_EQ(found["types"][0]["parameters"], parameters);
  EXPECT_EQ(found["types"][0]["bytes"], 4 * parameters);
  EXPECT_EQ(found["types"][0]["tensors"], 21);
  EXPECT_EQ(found["bits_per_weight"], 32.0);
  EXPECT_EQ(found["bytes"], fs::file_size(folder_.path("model.gguf")));
  EXPECT_EQ(found["version"], 3);
}

TEST_F(Inspect, BitsOfMixedTypes) {
  TinyModel model;
  model.set_tensor("extra", {2, 64}, gguf::TensorType::Q4_0, Bytes(2 * 36));
  const json found = inspect(model);
  const json& extra = found["types"][1];
  EXPECT_EQ(extra["type"], "Q4_0");
  EXPECT_EQ(extra["bits_per_weight"], 4.5);
  EXPECT_FALSE(extra["kernel_few_rows"].is_null());
  EXPECT_THAT(found["warnings"][0].get<std::string>(), HasSubstr("1 tensor is not used"));
}

TEST_F(Inspect, AModelThatRuns) {
  const json found = inspect(TinyModel());
  EXPECT_EQ(found["runs"], true);
  EXPECT_EQ(found["problems"], json::array());
  // 2 layers with one head of 16.
  EXPECT_EQ(found["kv_bytes_per_token"], json::parse(R"({"f16": 128, "f32": 256})"));
  EXPECT_EQ(found["kernels"][0]["operation"], "matmul");
  EXPECT_THAT(text(TinyModel()), AllOf(HasSubstr("The model runs.\n"), Not(HasSubstr("few rows "))));
  EXPECT_THAT(text(TinyModel(), {"-v"}), testing::ContainsRegex("matmul +F32 +few rows"));
}

TEST_F(Inspect, AllThatKeepsAModelFromRunning) {
  TinyModel model;
  model.erase_tensor("output_norm.weight").erase_tensor("blk.0.attn_q.weight");
  model.set_tensor("blk.1.ffn_up.weight", {64, 256}, gguf::TensorType::IQ1_S, Bytes(64 * 50));
  model.set("tokenizer.ggml.model", "nosuchtok");
  const json found = inspect(model);
  EXPECT_EQ(found["runs"], false);
  EXPECT_THAT(codes(found),
              ElementsAre("missing_tensor", "wrong_shape", "missing_tensor", "unknown_tokenizer"));
  EXPECT_EQ(found["tokenizer"], nullptr);
  const std::string shown = text(model);
  EXPECT_THAT(shown, AllOf(HasSubstr("The model does not run:\n"),
                           HasSubstr("  tensor 'blk.0.attn_q.weight'"), HasSubstr("'nosuchtok'")));
}

TEST_F(Inspect, ManyFaultsAreCutUnlessFull) {
  TinyModel model;
  model.set("llama.block_count", 200u);
  EXPECT_THAT(text(model), HasSubstr("more; --full shows all\n"));
  EXPECT_THAT(text(model, {"--full"}), Not(HasSubstr("--full shows all")));
  EXPECT_EQ(inspect(model)["problems"].size(), 198u * 7);
}

TEST_F(Inspect, UnknownArchitecture) {
  TinyModel model;
  model.set("general.architecture", "nosucharch");
  model.set_tensor("w", {256}, gguf::TensorType::IQ1_S, Bytes(50));
  const json found = inspect(model);
  EXPECT_THAT(codes(found), ElementsAre("unknown_architecture", "bad_tensor_type"));
  EXPECT_EQ(found["kv_bytes_per_token"], nullptr);
  EXPECT_EQ(found["tokenizer"]["n_vocab"], 64);
  EXPECT_EQ(found["tensors"].size(), 22u);
}

TEST_F(Inspect, AVocabularyAlone) {
  gguf::Writer writer;
  add_vocabulary(writer, byte_level_vocabulary("llama-bpe"));
  const std::string path = folder_.write("vocabulary.gguf", writer.bytes());
  const json found = inspect_file(path);
  EXPECT_EQ(found["runs"], false);
  EXPECT_EQ(found["tensors"], json::array());
  EXPECT_EQ(found["tokenizer"]["model"], "gpt2");
  EXPECT_EQ(found["tokenizer"]["pre"], "llama-bpe");
  EXPECT_EQ(found["tokenizer"]["n_vocab"], 280);
  EXPECT_EQ(found["tokenizer"]["special"]["bos"], json::parse(R"({"id": 275, "text": "<bos>"})"));
  EXPECT_EQ(found["tokenizer"]["round_trip"], json::parse(R"({"texts": 6, "lost": []})"));
  EXPECT_THAT(codes(found), testing::Contains("missing_tensor"));
}

TEST_F(Inspect, AnEmptyContainer) {
  const std::string path = folder_.write("empty.gguf", gguf::Writer().bytes());
  const json found = inspect_file(path);
  EXPECT_EQ(found["metadata"], json::object());
  EXPECT_THAT(codes(found), ElementsAre("missing_key", "missing_tensor", "missing_key"));
}

TEST_F(Inspect, TextsThatAVocabularyCannotSpell) {
  const json lost = inspect(TinyModel())["tokenizer"]["round_trip"]["lost"];
  EXPECT_FALSE(lost.empty()) << "the vocabulary has a few pieces and no bytes";
  EXPECT_THAT(text(TinyModel()), HasSubstr(" gives "));
}

TEST_F(Inspect, ChatTemplates) {
  TinyModel model = table_model({});
  model.set("tokenizer.chat_template",
            "{% for m in messages %}<im>{{ m.role }} {{ m.content }}<eot>{% endfor %}"
            "{% if add_generation_prompt %}<im>assistant {% endif %}");
  model.set("tokenizer.chat_template.tool_use", "{{ messages[0].content")
      .set("tokenizer.chat_template.x", 7u);
  const json found = inspect(model)["chat_templates"];
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0]["error"], nullptr);
  EXPECT_THAT(found[0]["rendered"].get<std::string>(), StartsWith("<im>user Hello!<eot><im>assistant Hi."));
  EXPECT_EQ(found[0]["control_tokens"], 7);
  EXPECT_EQ(found[0]["turns_end_with"], json::parse(R"(["<eot>"])"));
  EXPECT_EQ(found[1]["key"], "tokenizer.chat_template.tool_use");
  EXPECT_THAT(found[1]["error"].get<std::string>(), HasSubstr("line 1, column"));
  EXPECT_THAT(found[2]["error"].get<std::string>(), HasSubstr("string is needed"));
  EXPECT_EQ(inspect(model)["runs"], true) << "a bad template stops no model";
  EXPECT_THAT(text(model),
              AllOf(HasSubstr("7 of them control tokens"), HasSubstr("answers end with '<eot>'")));
}

TEST_F(Inspect, SplitFiles) {
  TinyModel first, second;
  first.set("split.count", std::uint16_t{2}).set("split.no", std::uint16_t{0});
  second.keys.clear();
  second.set("split.count", std::uint16_t{2}).set("split.no", std::uint16_t{1});
  second.tensors.erase(second.tensors.begin(), second.tensors.begin() + 10);
  first.tensors.resize(10);
  const std::string path = folder_.write("m-00001-of-00002.gguf", first);
  folder_.write("m-00002-of-00002.gguf", second);
  const json found = inspect_file(path);
  EXPECT_EQ(found["runs"], true);
  ASSERT_EQ(found["files"].size(), 2u);
  EXPECT_EQ(found["files"][0]["tensors"], 10);
  EXPECT_EQ(found["files"][1]["tensors"], 11);
  EXPECT_EQ(found["files"][1]["path"], folder_.path("m-00002-of-00002.gguf"));
  EXPECT_EQ(found["tensors"][10]["file"], 1);
  EXPECT_THAT(run_program({"inspect", path}).out, HasSubstr("file 2"));
}

TEST_F(Inspect, BrokenContainersAreOneLine) {
  Bytes bytes = TinyModel().bytes();
  bytes.resize(bytes.size() / 2);
  const std::string cut = folder_.write("cut.gguf", bytes);
  const std::string old = folder_.write("old.gguf", "GGML and more bytes than a header has");
  for (const std::string& path : {cut, old, folder_.path("none.gguf"), folder_.path("")}) {
    for (const Args& flags : {Args{}, Args{"--json"}}) {
      Args args = {"inspect", path};
      args.insert(args.end(), flags.begin(), flags.end());
      const Outcome outcome = run_program(args);
      EXPECT_EQ(outcome.status, 1) << path;
      EXPECT_EQ(outcome.out, "") << path;
      EXPECT_THAT(outcome.err, StartsWith("error: " + path + ": "));
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
  }
}

TEST_F(Inspect, WhatIsInAFileIsShownEscaped) {
  TinyModel model;
  model.set("general.name", std::string("a\x1b[2J\n\0b", 8));
  model.add_tensor("odd \u202e name", {32});
  const std::string shown = text(model);
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  EXPECT_THAT(shown, HasSubstr("'a\\x1b[2J\\x0a\\x00b'"));
  EXPECT_THAT(shown, HasSubstr("'odd \\xe2\\x80\\xae name'"));
}

TEST_F(Inspect, ALongKeyMovesNoOtherLine) {
  TinyModel model;
  model.set(std::string(65535, 'k'), 1u);
  EXPECT_LT(text(model).size(), 20000u);
  EXPECT_EQ(inspect(model)["metadata"][std::string(65535, 'k')], 1);
}

TEST_F(Inspect, ManyKeysTakeNoTime) {
  TinyModel model;
  for (int i = 0; i < 100000; ++i)
    model.insert_raw(model.keys.size(), "x." + std::to_string(i), 4, to_bytes(1u));
  const std::string path = write(model);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(inspect_file(path)["metadata"].size(), model.keys.size());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));  // quadratic: minutes
}

TEST_F(Inspect, AFileOf100GigabytesIsNotRead) {
  if (program_is_emulated()) GTEST_SKIP() << "the emulator has no room to map it";
  // One matrix that spans a hole.
  TinyModel model;
  model.set_tensor("z.weight", {1u << 20, 24576}, gguf::TensorType::F32, {});
  Bytes head = model.bytes();
  const std::string path = folder_.write("huge.gguf", head);
  std::error_code fault;
  fs::resize_file(path, std::uint64_t{100} << 30, fault);
  if (fault) GTEST_SKIP() << "no room for a file with a hole: " << fault.message();
  Launch launch{.args = {"inspect", path, "--json"}};
  launch.in_child = [] { ::alarm(20); };
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["bytes"], std::uint64_t{100} << 30);
  EXPECT_EQ(outcome.json()["tensors"].back()["bytes"], std::uint64_t{4} * 24576 << 20);
  rusage used{};  // of the child of this test that took most
  ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &used), 0);
  EXPECT_LT(used.ru_maxrss, 4 << 20) << "KiB";
}

TEST_F(Inspect, ByFlagWordOrNone) {
  const std::string path = write(TinyModel());
  EXPECT_EQ(run_program({"inspect", "-m", path, "--json"}).out, run_program({"inspect", path, "--json"}).out);
  EXPECT_EQ(run_program({"inspect", "--json"}).json()["path"], "built-in");
  EXPECT_EQ(run_program({"inspect", path, path}).status, 2);
  EXPECT_EQ(run_program({"inspect", "-m", path, path}).status, 2);
  EXPECT_EQ(run_program({"inspect", ""}).status, 2);
  const Launch by_word{.args = {"inspect", path, "--json"},
                       .environment = {{"LLAMA_ARG_MODEL", "other.gguf"}}};
  EXPECT_EQ(run_program(by_word).json()["path"], path);
}

TEST_F(Inspect, OverriddenKeysCount) {
  TinyModel model;
  model.set("tokenizer.ggml.model", "nosuchtok");
  const json found = inspect(model, {"--override-kv", "tokenizer.ggml.model=str:llama"});
  EXPECT_EQ(found["runs"], true);
  EXPECT_EQ(found["metadata"]["tokenizer.ggml.model"], "llama");
}

TEST(InspectReference, EveryModelAndVocabularyOfTheVectors) {
  const std::string folder = ARMATURE_TEST_DATA "/vectors/";
  if (!fs::exists(folder)) GTEST_SKIP() << "no reference data";
  if (program_is_emulated()) GTEST_SKIP() << "too many files for emulation";
  for (const char* part : {"arch", "tokenizer"}) {
    for (const auto& entry : fs::directory_iterator(folder + part)) {
      if (entry.path().extension() != ".gguf") continue;
      const Outcome outcome = run_program({"inspect", entry.path().string(), "--json"});
      ASSERT_EQ(outcome.status, 0) << entry.path() << outcome.err;
      const json found = outcome.json();
      EXPECT_FALSE(found["tokenizer"].is_null()) << entry.path() << found["problems"];
      if (found["metadata"]["general.architecture"] != "llama" || found["tensors"].empty()) continue;
      EXPECT_EQ(found["runs"], true) << entry.path() << found["problems"];
    }
  }
}

}  // namespace
}  // namespace armature::test
