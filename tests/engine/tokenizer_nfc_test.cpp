#include "engine/tokenizer/nfc.h"

#include <gtest/gtest.h>

#include "engine/tokenizer/utf8.h"
#include "gguf/mapped_file.h"
#include "tests/engine/tokenizer_support.h"
#include "tests/support/tokenizer_cases.h"

namespace armature::test {
namespace {

class Nfc : public testing::Test {
 protected:
  void SetUp() override {
    if (!nfc_is_available()) GTEST_SKIP() << "built without " << kNfcLibrary;
  }
};

TEST_F(Nfc, ComposesAndOrders) {
  // From the definition and the examples of UAX 15.
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"e\u0301", "\u00E9"},
      {"\u00E9", "\u00E9"},
      {"\u212B", "\u00C5"},                // a singleton
      {"a\u0302\u0323", "\u1EAD"},         // marks change places
      {"q\u0307\u0323", "q\u0323\u0307"},  // ... without a composition
      {"a\u0301\u0300", "\u00E1\u0300"},   // the second is blocked
      {"\u0958", "\u0915\u093C"},          // excluded from composition
      {"\u1112\u1161\u11AB", "\uD55C"},    // Hangul
      {"\u1F82", "\u1F82"},                // four characters when decomposed
      {"\u03B1\u0313\u0300\u0345", "\u1F82"},
      {"\u3042\u3099", "\u3042\u3099"},
      {"\u304B\u3099", "\u304C"},
      {std::string("e\u0301\0e\u0301", 7), std::string("\u00E9\0\u00E9", 5)},
  };
  for (const auto& [text, normal] : cases) {
    EXPECT_EQ(to_nfc(text), normal);
    EXPECT_EQ(is_nfc(text), text == normal) << text;
  }
}

TEST_F(Nfc, BytesThatAreNotUtf8Stay) {
  EXPECT_EQ(to_nfc("\xFF"
                   "e\u0301\xC3"),
            "\xFF\u00E9\xC3");
  EXPECT_EQ(to_nfc("e\xFF\u0301"), "e\xFF\u0301") << "nothing is composed across them";
  EXPECT_EQ(to_nfc("\xED\xA0\x80"), "\xED\xA0\x80");
}

TEST_F(Nfc, EveryCharacterIsStable) {
  std::string all;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c < 0xD800 || c >= 0xE000) append_utf8(all, c);
  }
  const std::string normal = to_nfc(all);
  EXPECT_TRUE(is_nfc(normal));
  EXPECT_NE(normal, all);
}

TEST_F(Nfc, ReferenceTexts) {
  const std::string path = tokenizer_vectors() + "qwen3.gguf";
  if (!file_exists(path)) GTEST_SKIP() << path << " is not here";
  const auto mapped = gguf::MappedFile::open(path, gguf::Access::Map);
  const gguf::File file = gguf::parse(mapped.bytes(), path);
  const auto tokenizer = Tokenizer::from(file.metadata);
  EXPECT_TRUE(tokenizer->expects_nfc());
  const int n = for_each_line(tokenizer_vectors() + "qwen3.nfc.jsonl", [&](const nlohmann::json& line) {
    const std::string text = line["text"];
    EncodeOptions options;
    options.add_special = line["add_special"];
    options.parse_special = line["parse_special"];
    EXPECT_EQ(to_ints(tokenizer->encode(text, options)), line["ids_as_given"].get<Ids>()) << line["id"];
    EXPECT_EQ(to_ints(tokenizer->encode(to_nfc(text), options)), line["ids_after_nfc"].get<Ids>())
        << line["id"];
    EXPECT_FALSE(is_nfc(text)) << line["id"];
  });
  EXPECT_EQ(n, 14);
}

TEST(NfcMissing, IsAnErrorThatNamesTheLibrary) {
  if (nfc_is_available()) GTEST_SKIP() << "built with it";
  EXPECT_TRUE(is_nfc("plain \u00E9")) << "no library is needed for that";
  try {
    to_nfc("plain");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    EXPECT_NE(std::string(error.what()).find("utf8proc"), std::string::npos);
  }
}

}  // namespace
}  // namespace armature::test
