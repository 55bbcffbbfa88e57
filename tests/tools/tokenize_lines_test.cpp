// `armature tokenize --jsonl`: one line in, one line out.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/tools/tokenize_support.h"

namespace armature::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

std::vector<json> parse_lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

class TokenizeLines : public testing::Test {
 protected:
  std::vector<json> encode(const std::string& lines, const Args& args = {}) const {
    return parse_lines(file.tokenize(Args{"--jsonl"} + args, lines).out);
  }
  std::vector<json> decode(const std::string& lines) const {
    return parse_lines(file.tokenize({"--jsonl", "--decode"}, lines).out);
  }

  const VocabularyFile file{byte_level_vocabulary("llama-bpe")};  // adds BOS
};

TEST_F(TokenizeLines, TextToIds) {
  const std::string lines =
      "{\"text\": \"hello\"}\n"
      "{\"text\": \"<eot>\", \"add_special\": false}\n"
      "{\"text\": \"<eot>\", \"add_special\": false, \"parse_special\": false}\n"
      "{\"bytes\": [104, 255, 0], \"parse_special\": true, \"id\": \"other keys are passed over\"}\r\n"
      "{\"text\": \"\\u00e9\\n\\ud83e\\udd99\", \"add_special\": false}\n"
      "{\"text\": \"\\\\n\", \"add_special\": false}";
  const Outcome outcome = file.tokenize({"--jsonl"}, lines);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(parse_lines(outcome.out),
              testing::ElementsAre(json{{"ids", {275, 265}}}, json{{"ids", {277}}},
                                   json{{"ids", {60, 101, 111, 116, 62}}}, json{{"ids", {275, 104, 255, 0}}},
                                   json{{"ids", {274, 10, 271, 272}}}, json{{"ids", {92, 110}}}));
}

TEST_F(TokenizeLines, FlagsAreTheDefaults) {
  const std::string lines = "{\"text\": \"<eot>\"}\n{\"text\": \"h\", \"add_special\": true}\n";
  EXPECT_THAT(encode(lines, {"--no-bos", "--no-parse-special"}),
              testing::ElementsAre(json{{"ids", {60, 101, 111, 116, 62}}}, json{{"ids", {275, 104}}}));
}

TEST_F(TokenizeLines, LinesFromAFile) {
  const std::string path = file.folder().write("lines", std::string_view("{\"text\": \"h\"}\n"));
  EXPECT_EQ(file.tokenize({"--jsonl", "-f", path}).out, "{\"ids\": [275, 104]}\n");
  EXPECT_EQ(file.tokenize({"--jsonl"}, "").out, "");
}

TEST_F(TokenizeLines, IdsToText) {
  EXPECT_THAT(
      decode("{\"ids\": [275, 265]}\n{\"ids\": []}\n{\"ids\": [104, 255, 192, 65]}\n{\"ids\": [0]}\n"),
      testing::ElementsAre(json{{"text", "<bos>hello"}}, json{{"text", ""}},
                           json{{"text", "h\uFFFD\uFFFDA"}, {"bytes", {104, 255, 192, 65}}},
                           json{{"text", std::string(1, '\0')}}));
}

struct Bad {
  std::string line, problem;
};

void expect_refused(const VocabularyFile& file, const Args& args, const std::vector<Bad>& cases,
                    const std::string& good) {
  std::string lines;
  for (const Bad& c : cases) lines += c.line + "\n" + good + "\n";
  const Outcome outcome = file.tokenize(args, lines);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr(std::to_string(cases.size()) + " of " + std::to_string(2 * cases.size())));
  const auto answers = parse_lines(outcome.out);
  ASSERT_EQ(answers.size(), 2 * cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string error = answers[2 * i].value("error", "(none)");
    EXPECT_THAT(error,
                AllOf(HasSubstr("line " + std::to_string(2 * i + 1) + ": "), HasSubstr(cases[i].problem)))
        << cases[i].line;
    EXPECT_FALSE(answers[2 * i + 1].contains("error")) << "the next line is read";
  }
}

TEST_F(TokenizeLines, BadLinesOfText) {
  const std::vector<Bad> cases = {
      {"", "not JSON"},
      {"{", "byte 2: not JSON"},
      {"{\"text\": \"a\"} x", "not JSON"},
      {"hello", "not JSON"},
      {"[1]", "array; an object"},
      {"null", "null; an object"},
      {"{}", "neither \"text\" nor \"bytes\""},
      {"{\"ids\": [1]}", "neither"},
      {"{\"text\": \"a\", \"bytes\": []}", "both"},
      {"{\"text\": 5}", "\"text\" is number; a string"},
      {"{\"text\": \"\\ud800\"}", "surrogate"},
      {"{\"text\": \"\\udc00x\"}", "surrogate"},
      {"{\"text\": \"\xFF\"}", "UTF-8"},
      {"{\"text\": \"\xED\xA0\x80\"}", "UTF-8"},
      {"{\"text\": \"a\nb\"}", "not JSON"},
      {"{\"bytes\": \"a\"}", "\"bytes\" is string; an array"},
      {"{\"bytes\": [1, 256]}", "element 1 is '256'; integers from 0 to 255"},
      {"{\"bytes\": [-1]}", "element 0 is '-1'"},
      {"{\"bytes\": [1.0]}", "element 0 is '1.0'"},
      {"{\"bytes\": [[]]}", "element 0 is '[]'"},
      {"{\"text\": \"a\", \"add_special\": 1}", "\"add_special\" is number; true or false"},
      {"{\"text\": \"a\", \"parse_special\": null}", "\"parse_special\" is null"},
      {"{\"text\": \"a\", \"x\": 1e999}", "number"},
      {"{\"text\": \"a\", \"x\": " + std::string(65, '[') + std::string(65, ']') + "}",
       "nested deeper than 64"},
      {std::string("{\"text\": \"a\0b\"}", 15), "not JSON"},
      {std::string(100'000, '['), "nested deeper"},
  };
  std::vector<Bad> one_line_each = cases;
  std::erase_if(one_line_each, [](const Bad& c) { return c.line.find('\n') != std::string::npos; });
  expect_refused(file, {"--jsonl"}, one_line_each, "{\"text\": \"h\"}");
}

TEST_F(TokenizeLines, BadLinesOfIds) {
  const std::vector<Bad> cases = {
      {"{\"text\": \"a\"}", "no \"ids\""},
      {"{\"ids\": 5}", "\"ids\" is number; an array"},
      {"{\"ids\": [1, 280]}", "element 1 is '280'; integers from 0 to 279"},
      {"{\"ids\": [-1]}", "element 0 is '-1'"},
      {"{\"ids\": [2147483648]}", "'2147483648'"},
      {"{\"ids\": [18446744073709551616]}", "element 0"},
      {"{\"ids\": [\"1\"]}", "element 0"},
      {"{\"ids\": [1.5]}", "element 0 is '1.5'"},
  };
  expect_refused(file, {"--jsonl", "--decode"}, cases, "{\"ids\": [104]}");
}

TEST_F(TokenizeLines, CharactersThatCannotBeSpelled) {
  TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  vocabulary.merges = {"h e"};
  vocabulary.tokens[0xC3] = "(none)";
  const VocabularyFile poor(vocabulary);
  expect_refused(poor, {"--jsonl"}, {{"{\"text\": \"\u00E9\"}", "cannot spell 'é'"}}, "{\"text\": \"h\"}");
  const Outcome replaced = poor.tokenize({"--jsonl"}, "{\"bytes\": [195]}\n{\"bytes\": [195]}\n");
  EXPECT_EQ(replaced.status, 0);
  EXPECT_THAT(replaced.err, HasSubstr("note: 2 bytes")) << "once, for all lines";
}

/// Standard input as a pipe.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) std::abort();
  }
  ~Pipe() {
    ::close(ends_[0]);
    finish();
  }
  void attach(Launch& launch) {
    launch.in_child = [this] { ::dup2(ends_[0], STDIN_FILENO); };
  }
  void write(std::string_view text) {
    ASSERT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void finish() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST_F(TokenizeLines, EachIsAnsweredAsItComes) {
  Pipe pipe;
  Launch launch = file.launch({"--jsonl"});
  pipe.attach(launch);
  Process process(launch);
  pipe.write("{\"text\": \"h\"}\n{\"te");
  ASSERT_TRUE(process.wait_for_output());
  EXPECT_EQ(process.out(), "{\"ids\": [275, 104]}\n");
  pipe.write("xt\": \"i\"}");
  pipe.finish();
  EXPECT_EQ(process.wait().out, "{\"ids\": [275, 104]}\n{\"ids\": [275, 105]}\n");
}

TEST_F(TokenizeLines, InterruptWhileALineIsAwaited) {
  Pipe pipe;
  Launch launch = file.launch({"--jsonl"});
  pipe.attach(launch);
  Process process(launch);
  pipe.write("{\"text\": \"h\"}\n{\"text");
  ASSERT_TRUE(process.wait_for_output());
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.out, "{\"ids\": [275, 104]}\n") << "no answer to half a line";
}

TEST_F(TokenizeLines, LinesThatAreTooLong) {
#ifdef ARMATURE_SLOW_RUN
  GTEST_SKIP() << "64 MiB take long in this build";
#endif
  const std::string text((std::size_t{64} << 20) + 1, 'a');
  const std::string lines = "{\"text\": \"" + text + "\"}\n{\"text\": \"h\"}\n";
  const auto answers = encode(lines);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_THAT(answers[0].value("error", ""), HasSubstr("more than 67108864 bytes"));
  EXPECT_EQ(answers[1], (json{{"ids", {275, 104}}}));
}

TEST_F(TokenizeLines, ManyLines) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "{\"text\": \"hello\"}\n";
  EXPECT_EQ(encode(lines), std::vector<json>(20'000, json{{"ids", {275, 265}}}));
}

}  // namespace
}  // namespace armature::test
