// `armature perplexity`: what it prints, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/temp_dir.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

/// The built-in model and a text that gives it some chunks of 16 tokens.
class PerplexityCommand : public testing::Test {
 protected:
  Outcome run(const Args& args) const { return run_program(Args{"perplexity", "-c", "16"} + args); }
  Outcome measure(const Args& args) const { return run(Args{"-f", text_} + args); }
  std::string written(const std::string& name, const Args& args = {}) const {
    const std::string path = folder_.path(name);
    const Outcome outcome = measure(Args{"--kl-divergence-base", path} + args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return path;
  }
  std::string refusal(const Args& args, int status = 1) const {
    const Outcome outcome = run_program(Args{"perplexity"} + args);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  TempDir folder_;
  std::string text_ = folder_.write(
      "text.txt",
      "Once upon a time there was a little fox who lived in the wood. One day the fox found a red ball. "
      "She took the ball to her friend, and the two of them played until the sun went down. Then they were "
      "tired and happy, and they went home. The end. And on the next day it rained, so they stayed "
      "inside.\n");
};

TEST_F(PerplexityCommand, PrintsWhatLlamaPerplexityPrints) {
  const Outcome outcome = measure({"--chunks", "3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              MatchesRegex(R"(\[1\][0-9]+\.[0-9]{4},\[2\][0-9]+\.[0-9]{4},\[3\][0-9]+\.[0-9]{4},)"
                           "\n"));
  EXPECT_THAT(outcome.err, HasSubstr("context: 48 (sequences: 3)"));
  EXPECT_THAT(outcome.err, HasSubstr("3 chunks of 16 tokens, 3 at a time; 7 tokens of each are predicted"));
  EXPECT_THAT(outcome.err, HasSubstr("seconds per pass - ETA 0."));
  const std::size_t at = outcome.err.find("Final estimate");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(outcome.err.substr(at),
              MatchesRegex(R"(Final estimate: PPL = [0-9]+\.[0-9]{4} \+/- [0-9]+\.[0-9]{5})"
                           "\n"));
}

TEST_F(PerplexityCommand, LinesOfTheOtherType) {
  const Outcome outcome = measure({"--chunks", "2", "--ppl-output-type", "1"});
  const std::string numbers = R"(  [0-9]+\.[0-9]{4}  [0-9]\.[0-9]{6}  [0-9]\.[0-9]{6})"
                              "\n";
  EXPECT_THAT(outcome.out, MatchesRegex("       0" + numbers + "      16" + numbers));
}

TEST_F(PerplexityCommand, JsonAgreesWithTheLines) {
  const auto json = measure({"--chunks", "3", "--json"}).json();
  EXPECT_EQ(json["n_chunks"], 3);
  EXPECT_EQ(json["n_ctx"], 16);
  EXPECT_EQ(json["n_scored"], 21);
  EXPECT_EQ(json["adds_bos"], true);
  EXPECT_EQ(json["n_sequences"], 3);
  EXPECT_EQ(json["type_k"], "f16");
  EXPECT_GE(json["n_tokens"], 48);
  EXPECT_EQ(json["text"], text_);
  ASSERT_EQ(json["chunks"].size(), 3u);
  double sum = 0;
  for (const auto& chunk : json["chunks"]) sum += chunk["nll"].get<double>();
  const double nll = json["nll"]["value"], error = json["nll"]["error"];
  EXPECT_NEAR(nll, sum / 3, 1e-12);
  EXPECT_NEAR(json["perplexity"]["value"], std::exp(nll), 1e-9);
  EXPECT_NEAR(json["perplexity"]["error"], std::exp(nll) * error, 1e-9);
  EXPECT_NEAR(json["chunks"][2]["perplexity_so_far"], std::exp(nll), 1e-9);

  const std::string lines = measure({"--chunks", "3", "--ppl-output-type", "1"}).out;
  std::istringstream last(lines.substr(lines.find("      32")));
  double token, ppl, mean, its_error;
  last >> token >> ppl >> mean >> its_error;
  EXPECT_NEAR(ppl, std::exp(nll), 1e-4);
  EXPECT_NEAR(mean, nll, 1e-6);
  EXPECT_NEAR(its_error, error, 1e-6);
}

TEST_F(PerplexityCommand, BatchesMakeNoDifference) {
  const auto nll = [&](const Args& args) {
    return measure(Args{"--json", "--batch-invariant", "--chunks", "4"} + args).json()["nll"];
  };
  const auto want = nll({});
  EXPECT_EQ(nll({"-b", "16"}), want);
  EXPECT_EQ(nll({"-b", "8"}), want) << "less than a chunk";
  EXPECT_EQ(nll({"-b", "33", "-ub", "5"}), want);
  EXPECT_EQ(nll({"-t", "3"}), want);
}

TEST_F(PerplexityCommand, TextFromElsewhere) {
  const Outcome want = measure({"--chunks", "2"});
  std::ifstream in(text_);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Outcome piped =
      run_program({.args = {"perplexity", "-c", "16", "--chunks", "2", "-f", "-"}, .input = text});
  EXPECT_EQ(piped.out, want.out);
  EXPECT_EQ(run({"--chunks", "2", "-p", text.substr(0, text.size() - 1)}).out, want.out);
  EXPECT_EQ(run({"--chunks", "2", "-bf", text_}).out, want.out);
}

TEST_F(PerplexityCommand, ComparedWithItself) {
  const std::string base = written("base.kl");
  const Outcome outcome = run_program({"perplexity", "--kl-divergence-base", base, "--kl-divergence"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("\nchunk             PPL  "), HasSubstr("\n   1    "),
                    HasSubstr("====== Perplexity statistics ======\n"),
                    HasSubstr("Cor(ln(PPL(Q)), ln(PPL(base))): 100.00%\n"),
                    HasSubstr("\nMaximum KLD:   0.000"), HasSubstr("\n75.0%   Δp: "),
                    HasSubstr("RMS Δp    :  0.00"), HasSubstr("Same top p: 100.000 ± 0.000 %\n")));

  const auto json =
      run_program({"perplexity", "--save-all-logits", base, "--kl-divergence", "--json", "-f", text_}).json();
  EXPECT_EQ(json["base"], base);
  EXPECT_LT(std::abs(json["kld"]["mean"].get<double>()), 5e-5);
  EXPECT_LT(json["kld"]["max"], 2e-4);
  EXPECT_NEAR(json["perplexity_base"]["value"], json["perplexity"]["value"], 1e-3);
  EXPECT_EQ(json["same_top"]["value"], 1);
  EXPECT_EQ(json["chunks"].size(), json["n_chunks"]);
}

TEST_F(PerplexityCommand, ComparedWithLessPreciseKernels) {
  const std::string base = written("base.kl", {"--isa", "scalar", "-ctk", "f32", "-ctv", "f32"});
  const auto json = run({"--kl-divergence-base", base, "--kl-divergence", "--json", "--chunks", "2"}).json();
  EXPECT_EQ(json["n_chunks"], 2);
  EXPECT_EQ(json["chunks"].size(), 2u);
  EXPECT_LT(json["kld"]["mean"], 0.01);
  EXPECT_GT(json["same_top"]["value"], 0.8);
  EXPECT_LE(json["delta_p"]["min"], json["delta_p"]["median"]);
  EXPECT_LE(json["delta_p"]["median"], json["delta_p"]["max"]);
}

TEST_F(PerplexityCommand, TheFileIsThatOfTheFormat) {
  const std::string base = written("base.kl", {"--chunks", "2"});
  // 2048 tokens in the vocabulary; 2 chunks of 16 tokens, of which 7 are predicted.
  EXPECT_EQ(fs::file_size(base), 20u + 2 * 16 * 4 + 2 * 7 * (8 + 2 * 2048));
}

TEST_F(PerplexityCommand, RefusesTexts) {
  EXPECT_THAT(
      refusal({"-f", text_}),
      AllOf(HasSubstr(text_ + ": "), HasSubstr("tokens; at least 1024 are needed, two chunks of 512")));
  EXPECT_THAT(refusal({"-f", folder_.path("none")}), HasSubstr("No such file"));
  EXPECT_THAT(refusal({"-p", ""}), HasSubstr("1 tokens; at least 1024"));
}

TEST_F(PerplexityCommand, DoesNotReplaceItsText) {
  const Outcome outcome = run({"--kl-divergence-base", text_, "-f", text_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("error: " + text_ + ": this is the text that is read; another file is needed"));
}

TEST_F(PerplexityCommand, RefusesBases) {
  const std::string base = written("base.kl");
  const Args compare = {"--kl-divergence", "--kl-divergence-base"};
  EXPECT_THAT(refusal(compare + Args{base, "-c", "32"}),
              AllOf(HasSubstr(base + ": its chunks have 16 tokens"), HasSubstr("-c asks for 32")));
  EXPECT_THAT(refusal(compare + Args{base, "-m", folder_.write("model.gguf", TinyModel())}),
              HasSubstr("2048, but the model's has 64 tokens"));
  EXPECT_THAT(refusal(compare + Args{text_}),
              HasSubstr("files of --kl-divergence-base begin with '_logits_'"));
  const std::string other = folder_.write("other.txt", "Another text. " + std::string(3000, 'x'));
  EXPECT_THAT(refusal(compare + Args{base, "-f", other}), HasSubstr("another text or another vocabulary"));
  fs::resize_file(base, fs::file_size(base) - 1);
  EXPECT_THAT(refusal(compare + Args{base}), AllOf(HasSubstr("offset 0x"), HasSubstr("the file ends")));
}

TEST_F(PerplexityCommand, RefusesCommandLines) {
  EXPECT_THAT(refusal({}, 2), HasSubstr("no text; give one with -f FILE"));
  EXPECT_THAT(refusal({"text.txt"}, 2), HasSubstr("takes no words"));
  EXPECT_THAT(refusal({"--kl-divergence"}, 2), HasSubstr("needs --kl-divergence-base FILE"));
  EXPECT_THAT(refusal({"-f", text_, "--kl-divergence-base", "-"}, 2), HasSubstr("give a file"));
  EXPECT_THAT(refusal({"-f", text_, "-c", "3"}, 2), HasSubstr("allowed: 4 to 16777216"));
  EXPECT_THAT(refusal({"-f", text_, "--chunks", "0"}, 2), HasSubstr("allowed: 1 to"));
  EXPECT_THAT(refusal({"-f", text_, "--ppl-stride", "256"}, 2), HasSubstr("never overlap"));
  EXPECT_THAT(refusal({"--hellaswag"}, 2), HasSubstr("multiple choice"));
  EXPECT_EQ(measure({"--ppl-stride", "0", "--chunks", "1", "-ngl", "99", "--no-warmup"}).status, 0)
      << "values and flags that ask for nothing";
}

TEST_F(PerplexityCommand, AFailedRunLeavesNoFile) {
  TinyModel model;
  model.set_weights("output_norm.weight", std::vector<float>(32, std::nanf("")));
  const std::string path = folder_.path("base.kl");
  const Outcome outcome = measure({"-m", folder_.write("model.gguf", model), "--kl-divergence-base", path});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("not finite"));
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace armature::test
