// `armature logits` against reference logits, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/support/program.h"
#include "tests/support/table_model.h"

namespace armature::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

using Args = std::vector<std::string>;

Args operator+(Args left, const Args& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::vector<float> to_floats(const std::string& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  EXPECT_EQ(bytes.size() % sizeof(float), 0u);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <class T>
std::vector<T> read_values(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

std::string joined(const nlohmann::json& ids, const char* separator) {
  std::string text;
  for (const auto& id : ids) text += (text.empty() ? "" : separator) + id.dump();
  return text;
}

constexpr std::size_t kVocab = 64;

/// Runs on the small model of the tests, whose logits differ from token to token; with the same bits for any
/// number of rows.
class LogitsCommand : public testing::Test {
 protected:
  Outcome run(const Args& args) const {
    return run_program(Args{"logits", "-m", model_, "-ctk", "f32", "-ctv", "f32", "--batch-invariant"} +
                       args);
  }
  /// The file that a run must write.
  std::vector<float> logits(const Args& args) const {
    const Outcome outcome = run(args + Args{"-o", out_});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return read_values<float>(out_);
  }
  std::string refusal(const Args& args, int status = 1) const {
    fs::remove(out_);
    const Outcome outcome = run(args + Args{"-o", out_});
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_FALSE(fs::exists(out_));
    return outcome.err;
  }
  std::string ids_file(const std::string& text) const { return folder_.write("ids.txt", text); }
  std::size_t n_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path("")), {}));
  }

  TempDir folder_;
  std::string model_ = folder_.write("model.gguf", TinyModel());
  std::string out_ = folder_.path("out.f32");
};

std::vector<float> row(const std::vector<float>& logits, std::size_t i) {
  const auto begin = logits.begin() + static_cast<std::ptrdiff_t>(i * kVocab);
  return {begin, begin + kVocab};
}

TEST_F(LogitsCommand, LastRowOrAllRows) {
  const auto last = logits({"--ids", "3,9, 27 11"});
  EXPECT_EQ(last.size(), kVocab);
  const auto all = logits({"--ids", "[3, 9, 27, 11]", "--all"});
  ASSERT_EQ(all.size(), 4 * kVocab);
  EXPECT_EQ(row(all, 3), last);
  EXPECT_EQ(row(all, 1), logits({"--ids", "3,9"}));
  EXPECT_NE(row(all, 0), row(all, 1));
}

TEST_F(LogitsCommand, SequencesOfAFileAreOneBatch) {
  const std::string file = ids_file("3 9 27\n5\n3,9\r\n12, 13, 14, 15, 16, 17");
  const auto last = logits({"--ids-file", file});
  ASSERT_EQ(last.size(), 4 * kVocab);
  const auto all = logits({"--ids-file", file, "--all"});
  ASSERT_EQ(all.size(), 12 * kVocab);
  EXPECT_EQ(row(all, 2), row(last, 0));
  EXPECT_EQ(row(all, 3), row(last, 1));
  EXPECT_EQ(row(all, 5), row(last, 2));
  EXPECT_EQ(row(all, 11), row(last, 3));
  EXPECT_EQ(row(all, 1), row(last, 2)) << "the same tokens in another sequence";
  const auto alone = logits({"--ids", "12,13,14,15,16,17"});
  EXPECT_EQ(row(last, 3), alone) << "the company makes no difference";
}

TEST_F(LogitsCommand, PassesOfAnySize) {
  const std::string file = ids_file("3 9 27 4 5\n5\n12 13 14 15 16 17 18\n");
  const auto whole = logits({"--ids-file", file, "--all"});
  for (const char* size : {"1", "2", "5", "7", "100"}) {
    EXPECT_EQ(logits({"--ids-file", file, "--all", "-ub", size}), whole) << size;
    EXPECT_EQ(logits({"--ids-file", file, "--all", "-b", size}), whole) << size;
  }
  EXPECT_EQ(logits({"--ids-file", file, "--all", "-t", "3"}), whole);
}

TEST_F(LogitsCommand, TheWholeContextMayBeShared) {
  const std::string file = ids_file("3 9 27\n5\n12 13 14 15\n");
  EXPECT_EQ(logits({"--ids-file", file, "-c", "8"}).size(), 3 * kVocab);
  EXPECT_THAT(refusal({"--ids-file", file, "-c", "7"}),
              AllOf(HasSubstr("3 sequences of 8 tokens"), HasSubstr("context of 7"), HasSubstr("-c")));
}

TEST_F(LogitsCommand, StandardOutputAndInput) {
  const auto want = logits({"--ids", "3,9"});
  const Outcome piped = run_program({.args = {"logits", "-m", model_, "-ctk", "f32", "-ctv", "f32",
                                              "--batch-invariant", "--ids-file", "-", "-o", "-"},
                                     .input = "3 9\n"});
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(to_floats(piped.out), want);
  EXPECT_THAT(piped.err, HasSubstr("logits: 1 x 64 (256 B)"));
}

TEST_F(LogitsCommand, RefusesIds) {
  EXPECT_THAT(refusal({"--ids", "3,64"}),
              HasSubstr("token 64 is outside the vocabulary; 0 to 63 are allowed"));
  EXPECT_THAT(refusal({"--ids", ""}, 2), HasSubstr("no ids"));
  EXPECT_THAT(refusal({"--ids", "3,x"}, 2), HasSubstr("'x' is no token id"));
  EXPECT_THAT(refusal({"--ids", "3,-1"}, 2), HasSubstr("'-1' is no token id"));
  EXPECT_THAT(refusal({"--ids", "3,4,"}, 2), HasSubstr("behind the last comma"));
  EXPECT_THAT(refusal({"--ids", "3,,4"}, 2), HasSubstr("'' is no token id"));
  EXPECT_THAT(refusal({"--ids", "99999999999"}, 2), HasSubstr("'99999999999' is no token id"));
  EXPECT_THAT(refusal({"--ids-file", ids_file("3\n\n4\n")}),
              HasSubstr("error: " + folder_.path("ids.txt") + ": line 2: empty"));
  EXPECT_THAT(refusal({"--ids-file", ids_file("3\n4 y\n")}), HasSubstr("line 2: 'y' is no token id"));
  EXPECT_THAT(refusal({"--ids-file", ids_file("3\n4 5 77\n")}), HasSubstr("line 2: token 77"));
  EXPECT_THAT(refusal({"--ids-file", ids_file("")}), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal({"--ids-file", folder_.path("none")}), HasSubstr("No such file"));
  EXPECT_THAT(refusal({"--ids", "1,2,3", "-c", "2"}), AllOf(HasSubstr("3 tokens"), HasSubstr("has 2")));
}

TEST_F(LogitsCommand, RefusesCommandLines) {
  refusal({}, 2);
  refusal({"--ids", "1", "--ids-file", ids_file("1")}, 2);
  refusal({"--ids", "1", "word"}, 2);
  EXPECT_EQ(run({"--ids", "1"}).status, 2) << "no -o";
}

TEST_F(LogitsCommand, OutputAppearsWholeOrNotAtAll) {
  folder_.write("out.f32", "old");
  EXPECT_EQ(run({"--ids", "1,64", "-o", out_}).status, 1);
  EXPECT_EQ(fs::file_size(out_), 3u) << "what was there stays";
  EXPECT_EQ(n_files(), 2u) << "nothing else is left";
  logits({"--ids", "1"});
  EXPECT_EQ(fs::file_size(out_), kVocab * sizeof(float));
  EXPECT_EQ(n_files(), 2u);

  const std::string no_folder = folder_.path("none/out.f32");
  EXPECT_THAT(run({"--ids", "1", "-o", no_folder}).err,
              HasSubstr("error: " + no_folder + ": cannot make it: No such"));
  EXPECT_EQ(run({"--ids", "1", "-o", folder_.path("")}).status, 1) << "a folder";
}

TEST_F(LogitsCommand, OutputKeepsItsKind) {
  const std::string link = folder_.path("link");
  fs::create_symlink(folder_.write("target", "old"), link);
  EXPECT_EQ(run({"--ids", "1", "-o", link}).status, 0);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(fs::file_size(folder_.path("target")), kVocab * sizeof(float));
  EXPECT_EQ(run({"--ids", "1", "-o", "/dev/null"}).status, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(LogitsCommand, NotFiniteLeavesNoFile) {
  TinyModel model;
  std::vector<float> weights(32, std::nanf(""));
  model.set_weights("output_norm.weight", weights);
  folder_.write("model.gguf", model);
  EXPECT_THAT(refusal({"--ids", "1"}), HasSubstr("not finite"));
  EXPECT_EQ(n_files(), 1u);
}

TEST(LogitsOfTables, AreTheTable) {
  TempDir folder;
  LogitTable table;
  table[{65, 66}] = 7.0f;
  table[{66, 67}] = -3.0f;
  const std::string path = folder.write("table.gguf", table_model(table));
  const Outcome outcome = run_program({"logits", "-m", path, "--ids", "65 66", "--all", "-o", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto logits = to_floats(outcome.out);
  ASSERT_EQ(logits.size(), 2 * kTableVocab);
  EXPECT_NEAR(logits[66], 7.0f, 1e-3f);
  EXPECT_NEAR(logits[67], -20.0f, 1e-3f);
  EXPECT_NEAR(logits[kTableVocab + 67], -3.0f, 1e-3f);
}

/// The tiny models of each architecture, against a double-precision pass.
class LogitsReference : public testing::TestWithParam<const char*> {};

TEST_P(LogitsReference, AgreeThroughTheProgram) {
  const std::string folder = ARMATURE_TEST_DATA "/vectors/arch/", name = GetParam();
  if (!fs::exists(folder + name + ".expect.json")) GTEST_SKIP() << "no reference data for " << name;
  std::ifstream in(folder + name + ".expect.json");
  const auto expect = nlohmann::json::parse(in);
  const TempDir temp;
  const std::string out = temp.path("out.f32");
  const Outcome outcome = run_program({"logits", "-m", folder + expect["model"].get<std::string>(), "--ids",
                                       joined(expect["tokens"], ","), "--all", "-ctk", "f32", "-ctv", "f32",
                                       "-c", expect["n_ctx"].dump(), "-o", out});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto got = read_values<float>(out);
  const auto want = read_values<double>(folder + expect["logits"]["exact"].get<std::string>());
  const std::size_t n_vocab = expect["n_vocab"];
  ASSERT_EQ(got.size(), expect["tokens"].size() * n_vocab);
  const double allowed = 1e-4 * expect["agreement"]["max_abs_logit"].get<double>();
  for (std::size_t i = 0; i < expect["logits"]["positions"].size(); ++i) {
    const std::size_t position = expect["logits"]["positions"][i];
    for (std::size_t j = 0; j < n_vocab; ++j)
      ASSERT_NEAR(static_cast<double>(got[position * n_vocab + j]), want[i * n_vocab + j], allowed)
          << "position " << position << ", token " << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, LogitsReference,
                         testing::Values("llama-plain", "llama-gqa", "llama-yarn", "llama-bias", "mistral3",
                                         "phi3-longrope-short", "phi3-longrope-long48", "phi3-window",
                                         "qwen2"));

TEST(LogitsOfABatch, EachSequenceAsAlone) {
  const std::string folder = ARMATURE_TEST_DATA "/vectors/arch/";
  if (!fs::exists(folder + "batch-llama-gqa.expect.json")) GTEST_SKIP() << "no reference data";
  std::ifstream in(folder + "batch-llama-gqa.expect.json");
  const auto expect = nlohmann::json::parse(in);
  const std::size_t n_vocab = expect["n_vocab"];
  // Each prompt with what follows it: every row of that stretch has a known best token.
  std::string lines;
  for (const auto& sequence : expect["sequences"])
    lines += joined(sequence["tokens"], " ") + " " + joined(sequence["greedy"], " ") + "\n";
  const TempDir temp;
  const std::string out = temp.path("out.f32");
  const Outcome outcome = run_program({"logits", "-m", folder + expect["model"].get<std::string>(),
                                       "--ids-file", temp.write("ids", lines), "--all", "-ctk", "f32", "-ctv",
                                       "f32", "-c", expect["n_ctx"].dump(), "-o", out});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto got = read_values<float>(out);
  std::size_t first = 0;
  for (const auto& sequence : expect["sequences"]) {
    const std::size_t n_prompt = sequence["tokens"].size(), n_greedy = sequence["greedy"].size();
    for (std::size_t i = 0; i < n_greedy; ++i) {
      if (sequence["margin"][i].get<double>() < 1e-2) continue;
      const auto begin = got.begin() + static_cast<std::ptrdiff_t>((first + n_prompt - 1 + i) * n_vocab);
      const auto best = std::max_element(begin, begin + static_cast<std::ptrdiff_t>(n_vocab)) - begin;
      ASSERT_EQ(best, sequence["greedy"][i])
          << "sequence " << joined(sequence["tokens"], " ") << ", step " << i;
    }
    first += n_prompt + n_greedy;
  }
  EXPECT_EQ(got.size(), first * n_vocab);
}

/// A real model's prompt, as far as there are references: activations are rounded to 8 bits.
TEST(LogitsOfModels, AreNearTheReference) {
  const std::string folder = ARMATURE_TEST_DATA "/models/";
  for (const char* cases : {"tiny", "smollm2"}) {
    const std::string file = folder + cases + ".cases.jsonl";
    if (!fs::exists(file)) GTEST_SKIP() << "no " << file;
    const bool builtin = std::string(cases) == "tiny";
    if (!builtin && program_is_emulated()) GTEST_SKIP() << "too slow under emulation";
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const auto c = nlohmann::json::parse(line);
      if (!c.contains("logits")) continue;
      const TempDir temp;
      const std::string out = temp.path("out.f32");
      Args args = {"logits", "--ids", joined(c["ids"], ","), "--all", "-o", out};
      if (!builtin) args = args + Args{"-m", folder + "SmolLM2-135M-Instruct.Q4_1.gguf"};
      const Outcome outcome = run_program(args);
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      const auto got = read_values<float>(out);
      const auto want = read_values<float>(folder + c["logits"].get<std::string>());
      const std::size_t first = c["logits_positions"][0].get<std::size_t>() * c["n_vocab"].get<std::size_t>();
      ASSERT_LE(first + want.size(), got.size());
      double sum = 0, largest = 0;
      for (std::size_t i = 0; i < want.size(); ++i) {
        const double error = static_cast<double>(got[first + i]) - static_cast<double>(want[i]);
        sum += error * error;
        largest = std::max(largest, std::fabs(static_cast<double>(want[i])));
      }
      EXPECT_LE(std::sqrt(sum / static_cast<double>(want.size())) / largest, 0.015) << c["name"];
    }
  }
}

}  // namespace
}  // namespace armature::test
