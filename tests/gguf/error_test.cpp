#include "gguf/error.h"

#include <gtest/gtest.h>

#include "gguf/compose.h"
#include "gguf/utf8.h"

namespace armature {
namespace {

TEST(ErrorText, HasTheFormOfItsParts) {
  const Error full(ErrorCode::bad_value, {"model.gguf", 0x1a4, "key 7 'llama.block_count'"},
                   "value 0; at least 1 is needed");
  EXPECT_STREQ(full.what(),
               "model.gguf: offset 0x1a4: key 7 'llama.block_count': value 0; at least 1 is needed");
  EXPECT_STREQ(Error(ErrorCode::io, {"m.gguf", {}, {}}, "gone").what(), "m.gguf: gone");
  EXPECT_STREQ(Error(ErrorCode::bad_argument, "too many").what(), "too many");
  EXPECT_STREQ(Error(ErrorCode::io, {"a\nb\x1b.gguf", {}, {}}, "gone").what(), "a\\x0ab\\x1b.gguf: gone");
}

TEST(ErrorText, CodesAreSpeltAsDeclared) {
  EXPECT_EQ(name_of(ErrorCode::too_short), "too_short");
  EXPECT_EQ(name_of(ErrorCode::bad_count), "bad_count");
  EXPECT_EQ(name_of(ErrorCode::out_of_file), "out_of_file");
  EXPECT_EQ(name_of(ErrorCode::missing_tensor), "missing_tensor");
  EXPECT_EQ(name_of(ErrorCode::file_changed), "file_changed");
}

TEST(Quote, ShowsOnlyWhatIsSafe) {
  EXPECT_EQ(quote("plain %s"), "'plain %s'");
  EXPECT_EQ(quote(""), "''");
  EXPECT_EQ(quote("h\u00e9 \u4f60 \U0001f999"), "'h\u00e9 \u4f60 \U0001f999'");
  EXPECT_EQ(quote(std::string_view("a\0\n\x7f", 4)), "'a\\x00\\x0a\\x7f'");
  EXPECT_EQ(quote("back\\slash"), "'back\\x5cslash'");
  EXPECT_EQ(quote("\xff\xc0\xaf\xed\xa0\x80"), "'\\xff\\xc0\\xaf\\xed\\xa0\\x80'");
  EXPECT_EQ(quote("\u0085\u202e\u200b"), "'\\xc2\\x85\\xe2\\x80\\xae\\xe2\\x80\\x8b'");
}

TEST(Quote, CutsAtEightyBytesAndNotInsideACharacter) {
  EXPECT_EQ(quote(std::string(80, 'a')), "'" + std::string(80, 'a') + "'");
  EXPECT_EQ(quote(std::string(81, 'a')), "'" + std::string(80, 'a') + "...'");
  EXPECT_EQ(quote(std::string(79, 'a') + "\u00e9"), "'" + std::string(79, 'a') + "...'");
  EXPECT_EQ(quote("abc", 2), "'ab...'");
}

TEST(Compose, WritesNumbersWithoutLocale) {
  EXPECT_EQ(compose("{} of {}: {}", 1234567, std::uint64_t{0} - 1, "x"),
            "1234567 of 18446744073709551615: x");
  EXPECT_EQ(compose("{} {}", -1.5, 0.1f), "-1.5 0.1");
  EXPECT_EQ(hex(0), "0x0");
  EXPECT_EQ(hex(~std::uint64_t{0}), "0xffffffffffffffff");
}

TEST(Utf8, TakesTheShortestFormsOnly) {
  EXPECT_EQ(decode_utf8("\u00e9x").length, 2u);
  EXPECT_EQ(decode_utf8("\U0010ffff").point, char32_t{0x10ffff});
  for (const char* bad : {"\x80", "\xc0\x80", "\xc3", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                          "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", ""})
    EXPECT_EQ(decode_utf8(bad).length, 0u) << bad;
}

}  // namespace
}  // namespace armature
