// Splitting rules that the reference data do not cover, and the traits of names. The pieces were computed by
// a regular-expression engine of another make from the published expressions.

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "engine/tokenizer/pre_rules.h"
#include "engine/tokenizer/pretokenizer.h"

namespace armature::test {
namespace {

struct Case {
  const char* rule;
  std::string_view pieces;  // the text, with a broken bar between pieces
};

std::string joined(std::string_view text, std::span<const std::size_t> lengths) {
  std::string out;
  for (const std::size_t length : lengths) {
    if (!out.empty()) out += "¦";
    out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

std::string without_bars(std::string_view pieces) {
  std::string text(pieces);
  const std::string bar = "¦";
  for (std::size_t at; (at = text.find(bar)) != text.npos;) text.erase(at, bar.size());
  return text;
}

TEST(TokenizerRules, Pieces) {
  const Case cases[] = {
      {"jais-2", "a¦    ¦  ¦ b"},
      {"jais-2", "it¦'S¦ ¦123¦45"},
      {"jais-2", "x¦ \n¦ y"},
      {"minicpm5", "123¦45¦ a¦1¦b"},
      {"minicpm5", "I¦'m¦ ok¦!!\n\n¦yes"},
      {"minicpm5", "½²"},
      {"seed-coder", "1¦2¦ a¦!¦\n\n¦b"},
      {"seed-coder", "it¦'s¦　x¦ ...¦\r\n"},
      {"bloom", "Hi¦,¦ the¦ end¦.¦ ok¦(¦x¦)"},
      {"bloom", "12¦,¦ 34¦!"},
      {"bloom", "中文¦。¦好¦ a¦|¦b"},
      {"viking", "a¦1¦ ¦2¦3¦,¦ x"},
      {"bailingmoe", "a¦\n\n¦b¦ \n¦ c"},
      {"bailingmoe", "we¦'Ll¦ ¦1¦2¦'d"},
      {"tiny_aya", "1¦234¦567¦ ¦89"},
      {"tiny_aya", "123¦45¦abc¦ ¦1¦234¦.¦5"},
      {"tiny_aya", "in¦ ¦202¦4¦_¦ and¦ ¦10¦000"},
  };
  for (const Case& c : cases) {
    const PreRule* rule = find_pre_rule(c.rule);
    ASSERT_NE(rule, nullptr) << c.rule;
    const std::string text = without_bars(c.pieces);
    EXPECT_EQ(joined(text, Pretokenizer(*rule).split(text)), c.pieces) << c.rule;
  }
}

TEST(TokenizerRules, NamesAreThereOnce) {
  std::set<std::string_view> names;
  for (const PreRule& rule : pre_rules()) EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
  EXPECT_EQ(find_pre_rule("default"), nullptr) << "what that stands for depends on the reader";
}

TEST(TokenizerRules, DocumentationHasEachName) {
  std::ifstream file(ARMATURE_SOURCE_DIR "/docs/text.md");
  std::set<std::string> words;
  for (std::string word; file >> word;) words.insert(word.substr(0, word.find_last_not_of(";,") + 1));
  for (const PreRule& rule : pre_rules()) EXPECT_TRUE(words.contains(std::string(rule.name))) << rule.name;
}

TEST(TokenizerRules, NormalisedFamilies) {
  for (const char* name : {"qwen2", "qwen35", "stablelm2"})
    EXPECT_TRUE(find_pre_rule(name)->traits.expects_nfc) << name;
  for (const char* name : {"gpt-2", "llama-bpe", "smollm", "deepseek-v3"})
    EXPECT_FALSE(find_pre_rule(name)->traits.expects_nfc) << name;
}

}  // namespace
}  // namespace armature::test
