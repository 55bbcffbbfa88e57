#include "tools/answer/stop_strings.h"

#include <gtest/gtest.h>

#include "tools/answer/answer_text.h"

namespace armature::tools {
namespace {

using Texts = std::vector<std::string>;
using Shown = std::pair<std::string, bool>;

/// What is shown of `pieces`, and whether a stop string ended it.
Shown shown(const Texts& stop_strings, const Texts& pieces) {
  StopStrings stop(stop_strings);
  std::string text;
  for (const std::string& piece : pieces) {
    if (stop.push(piece, text)) return {text, true};
  }
  stop.flush(text);
  return {text, false};
}

TEST(StopStrings, CutInsideAndAcrossTokens) {
  const Texts hello = {"A", " hello", "!"};
  EXPECT_EQ(shown({"ello"}, hello), Shown("A h", true));
  EXPECT_EQ(shown({"o!"}, hello), Shown("A hell", true));
  EXPECT_EQ(shown({" hello"}, hello), Shown("A", true));
  EXPECT_EQ(shown({"hello "}, hello), Shown("A hello!", false));
  EXPECT_EQ(shown({"hello!", "A h"}, hello), Shown("", true));
  EXPECT_EQ(shown({"\u00e9"}, {"\xC3", "\xA9", "!"}), Shown("", true));
}

TEST(StopStrings, PiecesMakeNoDifference) {
  const std::string text = "abababcabcabd abcab";
  const std::vector<Texts> cases = {{"ababc"}, {"abcabd"}, {"bcab", "abcabd"},
                                    {"abd a"}, {"x"},      {"abcabcab"}};
  for (const Texts& stop_strings : cases) {
    const auto whole = shown(stop_strings, {text});
    for (std::size_t size = 1; size < text.size(); ++size) {
      Texts pieces;
      for (std::size_t at = 0; at < text.size(); at += size) pieces.push_back(text.substr(at, size));
      EXPECT_EQ(shown(stop_strings, pieces), whole) << stop_strings[0] << " in pieces of " << size;
    }
  }
  EXPECT_EQ(shown(cases[0], {text}).first, "ab");
}

TEST(StopStrings, ShowAllThatCannotBelongToOne) {
  StopStrings stop(Texts{"hello"});
  std::string text;
  EXPECT_FALSE(stop.push("hell", text));
  EXPECT_EQ(text, "");
  EXPECT_FALSE(stop.push("hel", text));
  EXPECT_EQ(text, "hell");
  EXPECT_FALSE(stop.push("x", text));
  EXPECT_EQ(text, "hellhelx");
}

TEST(StopStrings, EmptyOnesCountForNothing) { EXPECT_EQ(shown({""}, {"a"}), Shown("a", false)); }

TEST(AnswerText, IsValidUtf8) {
  AnswerText answer({}, false);
  answer.push("\xFF");
  answer.push("A\xC3");
  answer.push("\xA9\xF0\x9F");
  answer.finish();
  EXPECT_EQ(answer.text(), "\uFFFDA\u00e9\uFFFD");
}

TEST(AnswerText, ShowsNothingFromTheStopStringOn) {
  const Texts stop_strings = {"\u00e9"};
  AnswerText answer(stop_strings, false);
  EXPECT_FALSE(answer.push("a\xC3"));
  EXPECT_EQ(answer.text(), "a");
  EXPECT_TRUE(answer.push("\xA9 and more"));
  answer.finish();
  EXPECT_EQ(answer.text(), "a");
}

}  // namespace
}  // namespace armature::tools
