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

namespace armature::test {
namespace {

using nlohmann::json;

const std::string kVectors = ARMATURE_TEST_DATA "/vectors/tokenizer/";
const std::string kModels = ARMATURE_TEST_DATA "/models/";

bool exists(const std::string& path) { return std::ifstream(path).good(); }

/// Calls `use` with the object in each line of a file; the number of lines.
int for_each_line(const std::string& path, const std::function<void(const json&)>& use) {
  std::ifstream file(path, std::ios::binary);
  int n = 0;
  for (std::string line; std::getline(file, line); ++n) use(json::parse(line));
  return n;
}

struct FileTokenizer {
  explicit FileTokenizer(const std::string& path)
      : file(gguf::MappedFile::open(path, gguf::Access::Map)),
        parsed(gguf::parse(file.bytes(), path)),
        tokenizer(Tokenizer::from(parsed.metadata)) {}
  gguf::MappedFile file;
  gguf::File parsed;
  std::unique_ptr<const Tokenizer> tokenizer;
};

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::map<std::string, std::string> long_texts() {
  std::map<std::string, std::string> texts;
  for_each_line(kVectors + "long-texts.jsonl", [&](const json& line) {
    std::string text = line.value("text", "");
    if (line.contains("repeat")) text = repeated(line["repeat"][0], line["repeat"][1]);
    texts[line["name"]] = text + line.value("then", "");
  });
  return texts;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::string text_of(const json& line, const std::map<std::string, std::string>& texts) {
  if (line.contains("text_name")) return texts.at(line["text_name"]);
  if (line.contains("bytes_hex")) return from_hex(line["bytes_hex"]);
  return line["text"];
}

/// True for a text with a byte that has no token.
bool loses_bytes(const json& line) { return line.contains("ids_lossless") && line["ids_lossless"].is_null(); }

Ids expected_ids(const json& line) {
  if (line.contains("ids")) return line["ids"];
  if (loses_bytes(line)) return line["ids_replaced"];
  if (line.contains("ids_lossless")) return line["ids_lossless"];
  Ids ids;
  for (const json& run : line["ids_rle"]) ids.insert(ids.end(), run[1].get<std::size_t>(), run[0].get<int>());
  return ids;
}

std::string expected_text(const json& line, const std::string& input) {
  if (line["detok"] == true) return input;
  return line["detok"] == "leading space" ? " " + input : line["detok"].get<std::string>();
}

class VocabularyVectors : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!exists(path())) GTEST_SKIP() << path() << " is not here";
  }
  std::string path() const { return kVectors + GetParam() + ".gguf"; }
  std::string cases() const { return kVectors + GetParam() + ".cases.jsonl"; }
};

TEST_P(VocabularyVectors, GiveTheIdsAndTheText) {
  const FileTokenizer file(path());
  const Tokenizer& tokenizer = *file.tokenizer;
  const auto texts = long_texts();
  const int n = for_each_line(cases(), [&](const json& line) {
    const std::string text = text_of(line, texts);
    const EncodeOptions options{line["add_special"], line["parse_special"], {}};
    EncodeLosses losses;
    EXPECT_EQ(to_ints(tokenizer.encode(text, options, losses)), expected_ids(line))
        << line["id"] << " " << line["kind"];
    EXPECT_EQ(losses.n_replaced > 0, loses_bytes(line)) << line["id"];
    EXPECT_EQ(losses.n_unknown, 0u) << line["id"];
    if (line.contains("detok")) {
      const auto ids = to_tokens(expected_ids(line));
      EXPECT_EQ(tokenizer.decode(ids, {.show_control = true, .strip_leading_space = false}),
                expected_text(line, text))
          << line["id"];
    }
  });
  EXPECT_GT(n, 500);
}

TEST_P(VocabularyVectors, ComeBackAsTheyWere) {
  const FileTokenizer file(path());
  const Tokenizer& tokenizer = *file.tokenizer;
  const bool drops_space = std::string(GetParam()) == "phi-3";  // behind control tokens
  const auto texts = long_texts();
  for_each_line(cases(), [&](const json& line) {
    const std::string text = text_of(line, texts);
    if (loses_bytes(line)) return;
    if (line["kind"] == "lookalike" && text.find("▁") != text.npos) return;
    if (line["kind"] == "special" && drops_space) return;
    const auto ids = tokenizer.encode(text, {false, line["parse_special"], {}});
    EXPECT_EQ(tokenizer.decode(ids), text) << line["id"] << " " << line["kind"];
  });
}

INSTANTIATE_TEST_SUITE_P(Files, VocabularyVectors,
                         testing::Values("llama-2", "phi-3", "gpt-2", "starcoder", "deepseek-coder",
                                         "llama-3", "phi-4", "qwen3"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(TokenizerVectors, SplitsOfAllRules) {
  const std::string path = kVectors + "splits.jsonl";
  if (!exists(path)) GTEST_SKIP() << path << " is not here";
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
  const std::string path = kVectors + "pre-rules.json";
  if (!exists(path)) GTEST_SKIP() << path << " is not here";
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
      EXPECT_EQ(rule->whole_piece_first, lists("whole_piece_first", name)) << name;
      EXPECT_EQ(rule->add_bos_if_key_is_absent, lists("add_bos_when_key_is_absent", name)) << name;
    }
  }
}

TEST(TokenizerVectors, Llama3DigitsInThrees) {
  const std::string path = kVectors + "llama-3.gguf";
  if (!exists(path)) GTEST_SKIP() << path << " is not here";
  const FileTokenizer file(path);
  EXPECT_EQ(ids_of(*file.tokenizer, "3333+777"), (Ids{8765, 18, 10, 15831}));
  EXPECT_EQ(ids_of(*file.tokenizer, " 333 4444"), (Ids{220, 8765, 220, 14870, 19}));
}

TEST(TokenizerVectors, Llama2BytesOfAnEmoji) {
  const std::string path = kVectors + "llama-2.gguf";
  if (!exists(path)) GTEST_SKIP() << path << " is not here";
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
  if (!exists(path)) GTEST_SKIP() << path << " is not here";
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
