// `armature verify`, and kernels that are broken on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

#include "engine/tokenizer/tokenizer.h"
#include "gguf/model_files.h"
#include "kernels/kernels.h"
#include "tests/support/program.h"
#include "tests/support/tokenizer_cases.h"
#include "tools/verify/report.h"
#include "tools/verify/text.h"

namespace armature::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
namespace verify = tools::verify;

/// "area, subject" of the checks with this verdict.
std::vector<std::string> checks_that_are(const json& report, const std::string& verdict) {
  std::vector<std::string> names;
  for (const json& check : report["checks"])
    if (check["verdict"] == verdict)
      names.push_back(check["area"].get<std::string>() + ", " + check["subject"].get<std::string>());
  return names;
}

std::size_t n_kernel_rows() {
  return kernels::matmul_rows().size() + kernels::panel_rows().size() + kernels::round_rows().size() +
         kernels::dequantize_rows().size() + kernels::norm_rows().size() + kernels::rope_rows().size() +
         kernels::activation_rows().size() + kernels::softmax_rows().size() + kernels::store_rows().size() +
         kernels::attention_rows().size() + kernels::peak_rows().size() + kernels::read_rows().size();
}

TEST(Verify, LooksAtEveryRowAndFindsThisMachineRight) {
  const Outcome outcome = run_program({"verify", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  const json report = outcome.json();
  EXPECT_EQ(report["right"], true);
  EXPECT_EQ(report["complete"], true);
  EXPECT_EQ(checks_that_are(report, "wrong").size(), 0u);
  std::size_t n_kernels = 0, n_model = 0, n_text = 0;
  for (const json& check : report["checks"]) {
    n_kernels += check["area"].get<std::string>().starts_with("kernels, ");
    n_model += check["area"] == "model" && check["verdict"] == "right";
    n_text += check["area"] == "tokenizer" && check["verdict"] == "right";
  }
  EXPECT_EQ(n_kernels, n_kernel_rows());
  EXPECT_EQ(n_model, 6u);
  EXPECT_EQ(n_text, 9u);
}

TEST(Verify, SaysWhatItDidNotRun) {
  const Outcome outcome = run_program({"verify", "--isa", "scalar"});
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("features: scalar\n"));
  EXPECT_THAT(outcome.out, HasSubstr("kernels, scalar: "));
  EXPECT_THAT(outcome.out, HasSubstr("the others are compared with it"));
#if defined(__aarch64__)
  EXPECT_THAT(outcome.out, HasSubstr("not run: --isa leaves out neon"));
#elif defined(__x86_64__)
  if (cpu::has(cpu::detect(), cpu::kAvx2)) {
    EXPECT_THAT(outcome.out, HasSubstr("not run: --isa leaves out avx2"));
  }
#endif
}

#if !defined(ARMATURE_SANITIZED)  // sanitizers need more address space than that
TEST(Verify, SaysWhenThereIsOneThreadOnly) {
  if (program_is_emulated()) GTEST_SKIP() << "the emulator needs more memory than that";
  const Outcome outcome = run_program({.args = {"verify", "-t", "2"}, .in_child = [] {
                                         const rlimit one_stack_too_few = {20000 << 10, 20000 << 10};
                                         ::setrlimit(RLIMIT_AS, &one_stack_too_few);
                                       }});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("model: 5 of 5 right, 1 not run: the system grants one thread\n"));
}
#endif

TEST(Verify, RefusesWordsAndMissingFiles) {
  EXPECT_EQ(run_program({"verify", "model.gguf"}).status, 2);
  EXPECT_EQ(run_program({"verify", "-m", "/no/such/model.gguf"}).status, 1);
}

#if defined(ARMATURE_FAULTY_PROGRAM)

#if defined(__aarch64__)
constexpr cpu::Features kFaultyIsa = cpu::kNeon;
const std::string kFaulty = "kernels, neon, ";
#else
constexpr cpu::Features kFaultyIsa = cpu::kAvx2;
const std::string kFaulty = "kernels, avx2, ";
#endif

class BrokenKernels : public testing::Test {
 protected:
  void SetUp() override {
    if (!cpu::has(cpu::detect(), kFaultyIsa)) GTEST_SKIP() << "this CPU lacks " << cpu::describe(kFaultyIsa);
  }
  static Outcome run(std::vector<std::string> args, const std::string& fault) {
    return run_program({.args = std::move(args),
                        .environment = {{"ARMATURE_TEST_FAULT", fault}},
                        .program = ARMATURE_FAULTY_PROGRAM});
  }
  /// Whether `verify` fails for this kernel, and for it alone.
  static void expect_found(const std::string& fault, const std::string& kernel) {
    const Outcome outcome = run({"verify", "--json"}, fault);
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    const json report = outcome.json();
    EXPECT_EQ(report["right"], false);
    EXPECT_THAT(checks_that_are(report, "wrong"), ElementsAre(kFaulty + kernel));
    EXPECT_THAT(outcome.err, HasSubstr("wrong: " + kFaulty + kernel + ": "));
  }
};

TEST_F(BrokenKernels, AreRightWithoutAFault) { EXPECT_EQ(run({"verify"}, "none").status, 0); }

TEST_F(BrokenKernels, AreFoundByAColumnThatIsLeftOut) { expect_found("tail", "matmul Q4_0 Q8_32"); }

TEST_F(BrokenKernels, AreFoundByACodeThatIsOffByOne) { expect_found("round", "rounding Q8_32"); }

TEST_F(BrokenKernels, AreFoundByKeysInFrontOfTheWindow) { expect_found("window", "attention F16/F16"); }

TEST_F(BrokenKernels, AreNamedInTheText) {
  const Outcome outcome = run({"verify"}, "tail");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\nwrong: " + kFaulty + "matmul Q4_0 Q8_32: m "),
                                 HasSubstr("\n1 of "), HasSubstr(" checks are wrong\n")));
}

TEST_F(BrokenKernels, AreSeenByBench) {
  const std::vector<std::string> bench = {"bench", "--no-roof", "-p", "4",  "-n",
                                          "1",     "-r",        "1",  "-o", "jsonl"};
  const auto verdict = [](const Outcome& outcome) {  // of the first of two records
    return json::parse(outcome.out.substr(0, outcome.out.find('\n')))["x"]["output_check"];
  };
  EXPECT_EQ(verdict(run(bench, "none")), (json{{"value", 1.0}}));
  const Outcome outcome = run(bench, "round");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json wrong = verdict(outcome);
  EXPECT_EQ(wrong["value"], 0.0);
  EXPECT_THAT(wrong["reason"].get<std::string>(), HasSubstr("rounding Q8_32"));
  EXPECT_THAT(outcome.err, HasSubstr("warning: a kernel is wrong: rounding Q8_32"));
}

#endif

class VerifyVocabularies : public testing::TestWithParam<std::string> {};

TEST_P(VerifyVocabularies, AreFoundRight) {
  const std::string path = tokenizer_vectors() + GetParam() + ".gguf";
  if (!file_exists(path)) GTEST_SKIP() << path << " is not here";
  const auto files = gguf::ModelFiles::open(path, gguf::Access::Map);
  std::vector<std::string> wrong;
  std::size_t n = 0;
  verify::check_tokenizer(*Tokenizer::from(files.metadata()), [&](const verify::Check& check) {
    ++n;
    if (check.verdict != verify::Verdict::Right) wrong.push_back(check.subject + ": " + check.finding);
  });
  EXPECT_EQ(n, 9u);
  EXPECT_THAT(wrong, ElementsAre());
}

INSTANTIATE_TEST_SUITE_P(All, VerifyVocabularies, testing::ValuesIn(tokenizer_vector_names()),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(VerifyReport, CountsByArea) {
  using enum verify::Verdict;
  verify::Report report{.cpu = "a", .features = "b", .model = "c", .checks = {}};
  report.checks = {{"kernels, avx2", "norm", Right, ""},
                   {"kernels, avx2", "rope", Wrong, "element 3 is 1, not 2"},
                   {"kernels, amx", "panel", NotRun, "this CPU lacks amx"}};
  EXPECT_EQ(verify::to_text(report, false),
            "cpu: a\nfeatures: b\nmodel: c\n\n"
            "kernels, avx2: 1 of 2 right\n"
            "kernels, amx: 1 not run: this CPU lacks amx\n\n"
            "wrong: kernels, avx2, rope: element 3 is 1, not 2\n"
            "1 of 2 checks are wrong\n");
  report.checks.resize(1);
  report.complete = false;
  EXPECT_EQ(verify::to_text(report, true),
            "cpu: a\nfeatures: b\nmodel: c\n\nkernels, avx2: 1 of 1 right\n\n"
            "right: kernels, avx2, norm\nall of 1 checks are right; interrupted\n");
}

}  // namespace
}  // namespace armature::test
