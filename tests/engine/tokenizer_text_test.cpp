// The parts below a tokenizer: UTF-8, Unicode properties, patterns.

#include <gtest/gtest.h>

#include "engine/tokenizer/byte_chars.h"
#include "engine/tokenizer/pattern.h"
#include "engine/tokenizer/utf8.h"
#include "engine/tokenizer/utf8_stream.h"
#include "gguf/error.h"
#include "tests/support/vocabularies.h"

namespace armature {
namespace {

/// What a stream makes of bytes that come n at a time.
std::string streamed(std::string_view bytes, std::size_t n) {
  Utf8Stream stream;
  std::string out;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(n, bytes.size()))) stream.push(bytes.substr(0, n), out);
  stream.flush(out);
  return out;
}

TEST(Utf8Stream, ReplacesMaximalIllFormedStretches) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"aé🦙", "aé🦙"},
      {"\xFF\x41\xC0\x80", "\uFFFDA\uFFFD\uFFFD"},
      // The examples of The Unicode Standard 15.0, tables 3-8 to 3-11.
      {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA"},
      {"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA"},
      {"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB"},
      {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", "\uFFFD\uFFFD\uFFFD\uFFFDA"},
      {"a\xF0\x9F\xA6", "a\uFFFD"},
  };
  for (const auto& [bytes, text] : cases) {
    for (std::size_t n = 1; n < 6; ++n) EXPECT_EQ(streamed(bytes, n), text) << text << " by " << n;
  }
}

TEST(Utf8Stream, HoldsBackOnlyWhatMayBecomeACharacter) {
  Utf8Stream stream;
  std::string out;
  stream.push("a\xF0\x9F", out);
  EXPECT_EQ(out, "a");
  stream.push("\xA6\x99z", out);
  EXPECT_EQ(out, "a🦙z");
  stream.push("\xF0\x9F", out);
  stream.push("b", out);
  EXPECT_EQ(out, "a🦙z\uFFFDb");
  stream.flush(out);
  EXPECT_EQ(out, "a🦙z\uFFFDb");
}

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    append_utf8(text, c);
    const Utf8Start start = read_utf8(text);
    ASSERT_EQ(start.kind, Utf8Kind::character) << static_cast<unsigned>(c);
    ASSERT_EQ(start.code_point, c);
    ASSERT_EQ(start.length, text.size());
  }
}

TEST(ByteChars, EveryByteComesBack) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::string spelled, back;
    append_byte_char(spelled, static_cast<std::uint8_t>(byte));
    EXPECT_EQ(spelled, test::byte_level_char(static_cast<std::uint8_t>(byte)));
    append_bytes_of_chars(back, spelled);
    EXPECT_EQ(back, std::string(1, static_cast<char>(byte)));
  }
  std::string text;
  append_bytes_of_chars(text, "Ġ中 \xFF");
  EXPECT_EQ(text, " 中 \xFF") << "what spells no byte stays";
}

TEST(Unicode, Properties) {
  using namespace unicode;
  const std::pair<char32_t, Properties> cases[] = {
      {'a', Ll},
      {'A', Lu},
      {'5', Nd},
      {' ', Zs | White_Space},
      {'\n', Cc | White_Space},
      {0x85, Cc | White_Space},
      {0xAA, Lo},
      {0xBD, No},
      {0x01C5, Lt},
      {0x0301, Mn},
      {0x2028, Zl | White_Space},
      {0x200B, Cf},
      {0xFEFF, Cf},
      {0x2581, So},
      {0x3000, Zs | White_Space},
      {0x4E00, Lo},
      {0x9FFF, Lo},
      {0xAC00, Lo},
      {0xD7A4, Cn},
      {0xD800, Cs},
      {0xE000, Co},
      {0xFFFD, So},
      {0x1F999, So},
      {0x10FFFD, Co},
      {0x10FFFF, Cn},
  };
  for (const auto& [code_point, properties] : cases) {
    EXPECT_EQ(properties_of(code_point), properties) << std::hex << static_cast<unsigned>(code_point);
  }
  EXPECT_EQ(category_named("N"), Nd | Nl | No);
  EXPECT_EQ(category_named("Lt"), Lt);
  EXPECT_EQ(category_named("Q"), std::nullopt);
}

/// Length of the match at the front of an ASCII text.
std::size_t match_length(std::string_view pattern_text, std::string_view text, std::size_t at = 0) {
  std::vector<PatternChar> chars;
  for (const char c : text) {
    const auto code_point = static_cast<char32_t>(static_cast<unsigned char>(c));
    chars.push_back({code_point, unicode::properties_of(code_point)});
  }
  const Pattern pattern(pattern_text);
  PatternMatcher matcher(pattern);
  matcher.reset(chars);
  return matcher.match_at(at);
}

TEST(Pattern, MatchesAsABacktrackingEngine) {
  struct Case {
    const char* pattern;
    const char* text;
    std::size_t length;
  };
  const Case cases[] = {
      {"a|ab", "ab", 1},
      {"ab|a", "ab", 2},
      {"a?b", "b", 1},
      {"a{1,3}", "aaaa", 3},
      {"a{2,3}", "a", 0},
      {"a{1,2}ab", "aab", 3},
      {"[a-c]+c", "abcab", 3},
      {"[a-c]*[bc]+d", "abcd", 4},
      {"[^a-c\\s]+", "xy a", 2},
      {"\\s+(?!\\S)", "   x", 2},
      {"\\s+(?!\\S)", " x", 0},
      {"\\s+(?!\\S)", "  ", 2},
      {"\\s*[\\r\\n]+", "  \n x", 3},
      {"\\s+$", "  ", 2},
      {"\\s+$", "  x", 0},
      {"(?i:'s|'ll)", "'LLx", 3},
      {"a(?i:'s)?", "a'Sx", 3},
      {"a(?i:'s)?", "a't", 1},
      {"\\p{Lu}\\p{Ll}+", "Abc", 3},
      {"[\\]\\-\\\\]+", "]-\\a", 3},
      {"[$+<=>^~|`]+", "^|`a", 3},
      {"a{2}", "aaa", 2},
      {"\\d+", "12a", 2},
      {"\\d{1,3}(?=(?:\\d{3})*\\b)", "12345678 ", 2},
      {"\\d{1,3}(?=(?:\\d{3})*\\b)", "123456", 3},
      {"\\d{1,3}(?=(?:\\d{3})*\\b)", "123456a", 0},
      {"\\d{1,3}(?=(?:\\d{3})*\\b)", "1_", 0},
  };
  for (const Case& c : cases)
    EXPECT_EQ(match_length(c.pattern, c.text), c.length) << c.pattern << " " << c.text;
}

TEST(Pattern, RemembersFailuresOnlyWhereTheyHold) {
  const Pattern pattern("a*b|a+");
  std::vector<PatternChar> chars;
  for (const char32_t c : {U'a', U'a', U'c', U'a', U'b'}) chars.push_back({c, unicode::properties_of(c)});
  PatternMatcher matcher(pattern);
  matcher.reset(chars);
  EXPECT_EQ(matcher.match_at(0), 2u);
  EXPECT_EQ(matcher.match_at(1), 1u);
  EXPECT_EQ(matcher.match_at(2), 0u);
  EXPECT_EQ(matcher.match_at(3), 2u);
  EXPECT_EQ(matcher.match_at(4), 1u);
}

TEST(Pattern, RefusesWhatIsNotInTheSubset) {
  for (const char* text :
       {"[a", "a{1", "a{3,1}", "\\p{Xx}", "\\w", "(?=a)", "(a)", "*a", "a.", "(?i:a", "\\", "\\p{L"}) {
    EXPECT_THROW(Pattern{text}, Error) << text;
  }
}

}  // namespace
}  // namespace armature
