// Real vocabularies and models, with ids, texts and splits that other implementations computed.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/tokenizer/pretokenizer.h"
#include "gguf/mapped_file.h"
#include "tests/engine/tokenizer_support.h"
#include "tests/support/tokenizer_cases.h"

namespace armature::test {
namespace {

using nlohmann::json;

const std::string kModels = ARMATURE_TEST_DATA "/models/";

struct FileTokenizer {
  explicit FileTokenizer(const std::string& path)
      : file(gguf::MappedFile::open(path, gguf::Access::Map)),
        parsed(gguf::parse(file.bytes(), path)),
        tokenizer(Tokenizer::from(parsed.metadata)) {}
  gguf::MappedFile file;
  gguf::File parsed;
  std::unique_ptr<const Tokenizer> tokenizer;
};

class VocabularyVectors : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!file_exists(path())) GTEST_SKIP() << path() << " is not here";
  }
  std::string path() const { return tokenizer_vectors() + GetParam() + ".gguf"; }
};

TEST_P(VocabularyVectors, GiveTheIdsAndTheText) {
  const FileTokenizer file(path());
  const Tokenizer& tokenizer = *file.tokenizer;
  const auto cases = read_tokenizer_cases(GetParam());
  EXPECT_GT(cases.size(), 500u);
  for (const TokenizerCase& c : cases) {
    EncodeLosses losses;
    const EncodeOptions options{.add_special = c.add_special, .parse_special = c.parse_special};
    EXPECT_EQ(to_ints(tokenizer.encode(c.text, options, losses)), c.ids) << c.id << " " << c.kind;
    EXPECT_EQ(losses.n_replaced > 0, c.loses_bytes) << c.id;
    EXPECT_EQ(losses.n_unknown, 0u) << c.id;
    if (c.decoded.empty()) continue;
    EXPECT_EQ(tokenizer.decode(to_tokens(c.ids), {.show_control = true, .strip_leading_space = false}),
              c.decoded)
        << c.id;
  }
}

TEST_P(VocabularyVectors, ComeBackAsTheyWere) {
  const FileTokenizer file(path());
  const Tokenizer& tokenizer = *file.tokenizer;
  const bool drops_space = GetParam() == "phi-3";  // behind control tokens
  for (const TokenizerCase& c : read_tokenizer_cases(GetParam())) {
    if (c.loses_bytes) continue;
    if (c.kind == "lookalike" && c.text.find("▁") != c.text.npos) continue;
    if (c.kind == "special" && drops_space) continue;
    const auto ids = tokenizer.encode(c.text, {.add_special = false, .parse_special = c.parse_special});
    EXPECT_EQ(tokenizer.decode(ids), c.text) << c.id << " " << c.kind;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, VocabularyVectors, testing::ValuesIn(tokenizer_vector_names()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(TokenizerVectors, SplitsOfAllRules) {
  const std::string path = tokenizer_vectors() + "splits.jsonl";
  if (!file_exists(path)) GTEST_SKIP() << path << " is not here";
  std::map<std::string, Pretokenizer, std::less<>> rules;
  for (const PreRule& rule : pre_rules()) rules.emplace(rule.name, rule);
  const int n = for_each_line(path, [&](const json& line) {
    for (const auto& [rule, lengths] : line["bytes"].items()) {
      EXPECT_EQ(rules.at(rule).split(line["text"].get<std::string>()),
                lengths.get<std::vector<std::size_t>>())
          << rule << " " << line["id"];
    }
  });
  EXPECT_EQ(n, 458);
}

TEST(TokenizerVectors, RuleNamesAreThePublishedOnes) {
  const std::string path = tokenizer_vectors() + "pre-rules.json";
  if (!file_exists(path)) GTEST_SKIP() << path << " is not here";
  const json published = json::parse(std::ifstream(path));
  const auto lists = [&](const char* key, const std::string& name) {
    const json& names = published[key];
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const json& entry : published["rules"]) {
    const PreRule* first = find_pre_rule(entry["rule"].get<std::string>());
    ASSERT_NE(first, nullptr) << entry["rule"];
    for (const std::string name : entry["pre_names"]) {
      const PreRule* rule = find_pre_rule(name);
      ASSERT_NE(rule, nullptr) << name;
      EXPECT_EQ(rule->steps.data(), first->steps.data()) << name;
      EXPECT_EQ(rule->traits.whole_piece_first, lists("whole_piece_first", name)) << name;
      EXPECT_EQ(rule->traits.add_bos_if_key_is_absent, lists("add_bos_when_key_is_absent", name)) << name;
    }
  }
}

TEST(TokenizerVectors, Llama3DigitsInThrees) {
  const std::string path = tokenizer_vectors() + "llama-3.gguf";
  if (!file_exists(path)) GTEST_SKIP() << path << " is not here";
  const FileTokenizer file(path);
  EXPECT_EQ(ids_of(*file.tokenizer, "3333+777"), (Ids{8765, 18, 10, 15831}));
  EXPECT_EQ(ids_of(*file.tokenizer, " 333 4444"), (Ids{220, 8765, 220, 14870, 19}));
}

TEST(TokenizerVectors, Llama2BytesOfAnEmoji) {
  const std::string path = tokenizer_vectors() + "llama-2.gguf";
  if (!file_exists(path)) GTEST_SKIP() << path << " is not here";
  const FileTokenizer file(path);
  EXPECT_EQ(to_ints(file.tokenizer->encode("This is 🦙.cpp")),
            (Ids{1, 910, 338, 29871, 243, 162, 169, 156, 29889, 8223}));
}

struct ModelCases {
  const char* model;
  const char* cases;
};
class ModelVectors : public testing::TestWithParam<ModelCases> {};

/// Where the messages of a chat stand in its rendering.
std::vector<ByteRange> contents(const json& line) {
  std::vector<ByteRange> ranges;
  const std::string text = line["text"];
  std::size_t from = 0;
  for (const json& message : line.value("messages", json::array())) {
    const std::string content = message["content"];
    const std::size_t begin = text.find(content, from);
    if (begin == text.npos) ADD_FAILURE() << line["name"] << ": message not in the text";
    from = begin + content.size();
    ranges.push_back({begin, from});
  }
  return ranges;
}

TEST_P(ModelVectors, GiveTheIds) {
  const std::string path = kModels + GetParam().model;
  if (!file_exists(path)) GTEST_SKIP() << path << " is not here";
  const FileTokenizer file(path);
  const int n = for_each_line(kModels + GetParam().cases, [&](const json& line) {
    const std::string text = line["text"];
    const auto literal = contents(line);
    const auto ids = file.tokenizer->encode(text, {true, line.value("parse_special", true), literal});
    EXPECT_EQ(to_ints(ids), line["ids"].get<Ids>()) << line["name"];
    EXPECT_EQ(file.tokenizer->decode(to_tokens(line["greedy"].get<Ids>())), line["greedy_text"])
        << line["name"];
  });
  EXPECT_GT(n, 1);
}

INSTANTIATE_TEST_SUITE_P(Files, ModelVectors,
                         testing::Values(ModelCases{"SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2.cases.jsonl"},
                                         ModelCases{"SmolLM2-135M-Instruct.Q4_1.gguf",
                                                    "smollm2-chat.cases.jsonl"},
                                         ModelCases{"armature-tiny.gguf", "tiny.cases.jsonl"},
                                         ModelCases{"armature-tiny.gguf", "tiny-chat.cases.jsonl"}));

}  // namespace
}  // namespace armature::test
