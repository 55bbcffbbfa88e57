// The reference data of tokenizers once through the program, by way of --jsonl.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/tokenizer/nfc.h"
#include "engine/tokenizer/utf8.h"
#include "tests/support/program.h"
#include "tests/support/tokenizer_cases.h"

namespace armature::test {
namespace {

using nlohmann::json;

std::vector<json> answers(const std::vector<std::string>& args, const std::vector<json>& requests) {
  Launch launch{.args = args};
  for (const json& request : requests) launch.input += request.dump() + "\n";
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::vector<json> lines;
  std::istringstream stream(outcome.out);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Start start = read_utf8(text);
    if (start.kind != Utf8Kind::character) return false;
    text.remove_prefix(start.length);
  }
  return true;
}

json bytes_of(const std::string& text) { return std::vector<std::uint8_t>(text.begin(), text.end()); }

json request_for(const TokenizerCase& c) {
  json request = {{"add_special", c.add_special}, {"parse_special", c.parse_special}};
  if (is_utf8(c.text)) {
    request["text"] = c.text;
  } else {
    request["bytes"] = bytes_of(c.text);
  }
  return request;
}

class TokenizeVectors : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!file_exists(path())) GTEST_SKIP() << path() << " is not here";
  }
  std::string path() const { return tokenizer_vectors() + GetParam() + ".gguf"; }
};

TEST_P(TokenizeVectors, GiveTheIds) {
  const auto cases = read_tokenizer_cases(GetParam());
  std::vector<json> requests;
  for (const TokenizerCase& c : cases) requests.push_back(request_for(c));
  const auto found = answers({"tokenize", "--jsonl", "-m", path()}, requests);
  ASSERT_EQ(found.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(found[i], (json{{"ids", cases[i].ids}})) << cases[i].id << " " << cases[i].kind;
}

TEST_P(TokenizeVectors, ComeBackAsTheyWere) {
  std::vector<TokenizerCase> cases = read_tokenizer_cases(GetParam());
  std::erase_if(cases, [&](const TokenizerCase& c) {
    const bool is_space_sign = c.kind == "lookalike" && c.text.find("▁") != c.text.npos;
    const bool drops_space = GetParam() == "phi-3" && c.kind == "special";
    return c.loses_bytes || c.add_special || is_space_sign || drops_space;
  });
  std::vector<json> requests;
  for (const TokenizerCase& c : cases) requests.push_back({{"ids", c.ids}});
  const auto found = answers({"tokenize", "--jsonl", "--decode", "-m", path()}, requests);
  ASSERT_EQ(found.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string& text = cases[i].text;
    if (is_utf8(text)) {
      EXPECT_EQ(found[i], (json{{"text", text}})) << cases[i].id;
    } else {
      EXPECT_EQ(found[i].at("bytes"), bytes_of(text)) << cases[i].id;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, TokenizeVectors, testing::ValuesIn(tokenizer_vector_names()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(TokenizeVectorsOfNfc, AsGivenAndNormalised) {
  const std::string model = tokenizer_vectors() + "qwen3.gguf";
  if (!file_exists(model)) GTEST_SKIP() << model << " is not here";
  std::vector<json> requests;
  for_each_line(tokenizer_vectors() + "qwen3.nfc.jsonl", [&](const json& line) { requests.push_back(line); });
  ASSERT_EQ(requests.size(), 14u);
  const auto given = answers({"tokenize", "--jsonl", "-m", model}, requests);
  for (std::size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(given[i]["ids"], requests[i]["ids_as_given"]);
  if (!nfc_is_available()) GTEST_SKIP() << "built without " << kNfcLibrary;
  const auto normalised = answers({"tokenize", "--jsonl", "--nfc", "-m", model}, requests);
  for (std::size_t i = 0; i < requests.size(); ++i)
    EXPECT_EQ(normalised[i]["ids"], requests[i]["ids_after_nfc"]) << requests[i]["id"];
}

}  // namespace
}  // namespace armature::test
