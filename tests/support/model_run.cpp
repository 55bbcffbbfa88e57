#include "tests/support/model_run.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

Outcome run_on(const std::string& path) {
  return run_program({"run", "-m", path, "--raw", "-p", "a", "-n", "4", "--temp", "0", "-t", "1"});
}

/// The answer to a model file that must be accepted.
std::string answer_of(const std::string& path) {
  const Outcome outcome = run_on(path);
  EXPECT_EQ(outcome.status, 0) << "signal " << outcome.signal << ": " << outcome.err;
  EXPECT_NE(outcome.out, "");
  return outcome.out;
}

std::string answer_of(const Bytes& file) { return answer_of(TempDir().write("case.gguf", file)); }

/// Checks all but the text of the error, which it returns without its line end.
std::string error_line(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 1) << "signal " << outcome.signal << ": " << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const std::string lines = "\n" + outcome.err;  // warnings may come before the error
  const std::size_t begin = lines.find("\nerror: ");
  if (begin == std::string::npos) {
    ADD_FAILURE() << "no error: " << outcome.err;
    return "";
  }
  EXPECT_EQ(lines.find("\nerror: ", begin + 1), std::string::npos) << "more than one error: " << outcome.err;
  EXPECT_EQ(lines.find('\n', begin + 1), lines.size() - 1) << "more after the error: " << outcome.err;
  return lines.substr(begin + 1, lines.size() - begin - 2);
}

}  // namespace

void expect_run_refuses(const Bytes& file, const Error& error) {
  if (program_is_emulated()) return;
  const TempDir folder;
  const std::string path = folder.write("case.gguf", file);
  const std::string problem = std::string(error.what()).substr(error.place().file.size());
  EXPECT_EQ(error_line(run_on(path)), "error: " + path + problem);
}

void expect_run_refuses(const std::string& path, const Error& error) {
  if (program_is_emulated()) return;
  EXPECT_EQ(error_line(run_on(path)), std::string("error: ") + error.what());
}

void expect_run_refuses(const Bytes& file, std::string_view part) {
  if (program_is_emulated()) return;
  const TempDir folder;
  const std::string path = folder.write("case.gguf", file);
  const std::string line = error_line(run_on(path));
  EXPECT_THAT(line, testing::StartsWith("error: " + path + ": "));
  EXPECT_THAT(line, testing::HasSubstr(std::string(part)));
}

void expect_run_answers(const Bytes& file) {
  if (program_is_emulated()) return;
  answer_of(file);
}

void expect_run_answers_as_good(const Bytes& file) {
  expect_run_answers_as_good(TempDir().write("case.gguf", file));
}

void expect_run_answers_as_good(const std::string& path) {
  if (program_is_emulated()) return;
  static const std::string answer = answer_of(TinyModel().bytes());
  EXPECT_EQ(answer_of(path), answer);
}

void expect_run_answers_alike(const Bytes& file, const Bytes& other) {
  if (program_is_emulated()) return;
  EXPECT_EQ(answer_of(file), answer_of(other));
}

}  // namespace armature::test
