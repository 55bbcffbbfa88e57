// `armature tokenize`: where its text comes from, what it prints, what it refuses. The ids of the made-up
// vocabularies are in tests/support/vocabularies.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "tests/support/table_model.h"
#include "tests/tools/tokenize_support.h"

namespace armature::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Tokenize : public testing::Test {
 protected:
  const VocabularyFile bpe{byte_level_vocabulary("llama-bpe")};  // adds BOS
  const VocabularyFile spm{without_bos(spm_vocabulary(true))};
};

TEST_F(Tokenize, Forms) {
  EXPECT_EQ(bpe.tokenize({"-p", "hello!"}).out, "   275 -> '<bos>'\n   265 -> 'hello'\n    33 -> '!'\n");
  EXPECT_EQ(bpe.tokenize({"-p", "hello!", "--ids"}).out, "[275, 265, 33]\n");
  EXPECT_EQ(bpe.tokenize({"-p", "hello!", "--ids", "--show-count"}).out,
            "[275, 265, 33]\nTotal number of tokens: 3\n");
  EXPECT_EQ(bpe.tokenize({"-p", "h", "--no-bos", "--show-count"}).out,
            "   104 -> 'h'\nTotal number of tokens: 1\n");
  EXPECT_EQ(bpe.tokenize({"-p", "hello!", "--count"}).out, "3\n");
  EXPECT_EQ(bpe.tokenize({"-p", "hello!"}).err, "");
  EXPECT_EQ(spm.tokenize({"-p", "Hello"}).out, "   266 -> ' Hello'\n") << "nothing is stripped of a piece";
  EXPECT_EQ(bpe.tokenize({"--no-bos", "-p", "\xC2\xAB"}).out, "   194 -> '\xC2'\n   171 -> '\xAB'\n")
      << "bytes as they are";
}

TEST_F(Tokenize, EmptyText) {
  EXPECT_EQ(bpe.tokenize({"-p", ""}).out, "   275 -> '<bos>'\n");
  EXPECT_EQ(bpe.tokenize({"-p", "", "--no-bos"}).out, "");
  EXPECT_EQ(bpe.ids({"-p", "", "--no-bos"}), "[]");
  EXPECT_EQ(bpe.tokenize({"-p", "", "--no-bos", "--count"}).out, "0\n");
}

TEST_F(Tokenize, TextFromFlagFileWordsAndInput) {
  const std::string file = bpe.folder().write("text", std::string_view("h\n"));
  EXPECT_EQ(bpe.ids({"--no-bos", "he", "lo"}), "[262, 32, 108, 111]");
  EXPECT_EQ(bpe.ids({"--no-bos", "-f", file}), "[104, 10]") << "the whole file";
  EXPECT_EQ(bpe.ids({"--no-bos", "--stdin"}, "l\n"), "[108, 10]");
  EXPECT_EQ(bpe.ids({"--no-bos"}, "l\n"), "[108, 10]");
  EXPECT_EQ(bpe.ids({"--no-bos", "-f", "-"}, "l"), "[108]");
  EXPECT_EQ(bpe.ids({"--no-bos", "-p", "a", "-f", file}), "[104, 10]") << "as in llama-tokenize";
  EXPECT_EQ(bpe.ids({"--no-bos", "-p", "a", "-f", file, "--stdin"}, "l"), "[108]");
  EXPECT_EQ(bpe.tokenize({"-p", "a", "-f", file, "b"}).err,
            "note: the input is that of -f; -p is not used\n"
            "note: the input is that of -f; the command line is not used\n");
  EXPECT_EQ(bpe.ids({"--no-bos", "-f", file + ".none"}),
            "error: " + file + ".none: No such file or directory\n");
}

TEST_F(Tokenize, EscapesCountInAllTexts) {
  EXPECT_EQ(bpe.ids({"--no-bos", "-p", "h\\n"}), "[104, 10]");
  EXPECT_EQ(bpe.ids({"--no-bos", "h\\n"}), "[104, 10]");
  EXPECT_EQ(bpe.ids({"--no-bos", "--no-escape", "-p", "h\\n"}), "[104, 92, 110]");
  const Outcome input = bpe.tokenize({"--no-bos", "--ids", "--stdin"}, "h\\n");
  EXPECT_EQ(input.out, "[104, 10]\n");
  EXPECT_THAT(input.err, HasSubstr("--no-escape"));
  const Outcome silent = bpe.tokenize({"--no-bos", "--ids", "--stdin", "--no-escape"}, "h\\n");
  EXPECT_EQ(silent.out, "[104, 92, 110]\n");
  EXPECT_EQ(silent.err, "");
  EXPECT_EQ(bpe.tokenize({"--log-disable", "--stdin"}, "h\\n").err, "");
}

TEST_F(Tokenize, ControlTokens) {
  EXPECT_EQ(bpe.ids({"-p", "<eot>h"}), "[275, 277, 104]");
  EXPECT_EQ(bpe.ids({"-p", "<eot>h", "--no-parse-special"}), "[275, 60, 101, 111, 116, 62, 104]");
  EXPECT_EQ(bpe.ids({"-p", "<tag>", "--no-parse-special"}), "[275, 278]");
  const Outcome twice = bpe.tokenize({"-p", "<bos>h", "--ids"});
  EXPECT_EQ(twice.out, "[275, 275, 104]\n");
  EXPECT_THAT(twice.err, HasSubstr("--no-bos"));
  const Outcome once = bpe.tokenize({"-p", "<bos>h", "--ids", "--no-bos"});
  EXPECT_EQ(once.out, "[275, 104]\n");
  EXPECT_EQ(once.err, "");
}

TEST_F(Tokenize, DecodesIds) {
  const Outcome outcome = bpe.tokenize({"--decode", "275,265,33"});
  EXPECT_EQ(outcome.out, "<bos>hello!");
  EXPECT_EQ(outcome.err, "");
  for (const Args& ids :
       std::vector<Args>{{"265,33"},
                         {"265 33"},
                         {"265, 33"},
                         {"[265, 33]"},
                         {"265", "33"},
                         {"-f", bpe.folder().write("ids", std::string_view("265\n33\n"))}}) {
    EXPECT_EQ(bpe.tokenize(Args{"--decode"} + ids).out, "hello!") << ids[0];
  }
  EXPECT_EQ(bpe.tokenize({"--decode=265,33"}).out, "hello!");
  EXPECT_EQ(bpe.tokenize({"265,33", "--decode"}).out, "hello!");
  EXPECT_EQ(bpe.tokenize({"--decode"}, "[265, 33]\n").out, "hello!");
  EXPECT_EQ(bpe.tokenize({"--decode", "--stdin"}, "265").out, "hello");
  EXPECT_EQ(bpe.tokenize({"--decode"}, "").out, "");
  EXPECT_EQ(bpe.tokenize({"--decode", "255 65 0 192"}).out, std::string("\xFF"
                                                                        "A\0\xC0",
                                                                        4));
}

TEST_F(Tokenize, IdsThatAreNone) {
  const std::pair<const char*, const char*> cases[] = {
      {"280", "no token 280; the vocabulary has 0 to 279"},
      {"1,280", "280"},
      {"-1", "'-1'"},
      {"1,-1", "'-1'"},
      {"2147483648", "'2147483648'"},
      {"99999999999999999999", "'99999999999999999999'"},
      {"a", "'a'"},
      {"1;2", "'1;2'"},
      {"1.0", "'1.0'"},
      {"1,", "last comma"},
  };
  for (const auto& [ids, part] : cases) {
    const Outcome outcome = bpe.tokenize({"--decode", ids});
    const bool is_list = std::string_view(ids).ends_with("280");  // then it is the vocabulary that lacks one
    EXPECT_EQ(outcome.status, is_list ? 1 : 2) << ids;
    EXPECT_EQ(outcome.out, "") << ids;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("error: "), HasSubstr(part))) << ids;
  }
}

TEST_F(Tokenize, FlagsThatExcludeEachOther) {
  for (const Args& args : std::vector<Args>{{"--decode", "1", "--ids"},
                                            {"--decode", "1", "--count"},
                                            {"--decode", "1", "--nfc"},
                                            {"--decode", "-p", "1"},
                                            {"--ids", "--count", "x"},
                                            {"--count", "--show-count", "x"},
                                            {"--jsonl", "-p", "x"},
                                            {"--jsonl", "--count"},
                                            {"--jsonl", "word"},
                                            {"--jsonl", "--decode", "1,2"}}) {
    const Outcome outcome = bpe.tokenize(args);
    EXPECT_EQ(outcome.status, 2) << args[0] << " " << args[1];
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Tokenize, DigitsAsTheRuleSays) {
  struct Case {
    const char* text;
    std::string llama, qwen, gpt2;
  };
  const Case cases[] = {
      {"3333+333", "[259, 51, 43, 259]", "[51, 51, 51, 51, 43, 51, 51, 51]", "[258, 258, 43, 259]"},
      {"333 3333", "[259, 32, 259, 51]", "[51, 51, 51, 32, 51, 51, 51, 51]", "[259, 32, 258, 258]"},
      {" 3", "[32, 51]", "[32, 51]", "[261]"},
  };
  const auto with = [&](const char* pre, const char* text) {
    return bpe.ids({"--no-bos", "--override-kv", std::string("tokenizer.ggml.pre=str:") + pre, "-p", text});
  };
  for (const Case& c : cases) {
    EXPECT_EQ(with("llama-bpe", c.text), c.llama) << c.text;
    EXPECT_EQ(with("qwen2", c.text), c.qwen) << c.text;
    EXPECT_EQ(with("smollm", c.text), c.qwen) << c.text;
    EXPECT_EQ(with("gpt-2", c.text), c.gpt2) << c.text;
  }
}

TEST_F(Tokenize, SpacePrefixAsTheFileSays) {
  const VocabularyFile without(without_bos(spm_vocabulary(false)));
  struct Case {
    const char* text;
    std::string without, with;
  };
  for (const Case& c : {Case{"Hello", "[265]", "[266]"}, Case{"</s>Hello", "[2, 265]", "[2, 266]"},
                        Case{"Hello</s>Hello", "[265, 2, 265]", "[266, 2, 266]"}}) {
    EXPECT_EQ(without.ids({"-p", c.text}), c.without);
    EXPECT_EQ(spm.ids({"-p", c.text}), c.with);
    EXPECT_EQ(without.tokenize({"--decode", c.without}).out, c.text);
    EXPECT_EQ(spm.tokenize({"--decode", c.with}).out, c.text);
  }
}

TEST_F(Tokenize, BytesAndRunsOfSpaces) {
  const std::pair<const char*, const char*> cases[] = {
      {"🦙", "[259, 243, 162, 169, 156]"},
      {"Hello 🦙.", "[266, 259, 243, 162, 169, 156, 273]"},
      {"Hello  Hello", "[266, 259, 266]"},
      {"Hello    Hello", "[266, 260, 259, 266]"},
      {"  Hello", "[260, 266]"},
      {"Hello ", "[266, 259]"},
      {"\nHello", "[259, 13, 265]"},
      {"", "[]"},
  };
  for (const auto& [text, ids] : cases) EXPECT_EQ(spm.ids({"-p", text}), ids) << text;
}

TEST_F(Tokenize, TextThatIsNotUtf8IsKept) {
  const std::pair<std::string, const char*> cases[] = {
      {"\xFF\xFE", "[255, 254]"},
      {"\xC0\xAF", "[192, 175]"},
      {"\xED\xA0\x80", "[237, 160, 128]"},
      {"a\xF0\x9F", "[97, 271]"},
      {std::string("a\0b", 3), "[97, 0, 98]"},
  };
  for (const auto& [text, ids] : cases) {
    EXPECT_EQ(bpe.ids({"--no-bos", "--stdin"}, text), ids);
    EXPECT_EQ(bpe.tokenize({"--decode", ids}).out, text);
  }
  EXPECT_EQ(spm.ids({"--stdin"}, "\xFF"), "[259, 258]");
}

TEST_F(Tokenize, WhatTheVocabularyCannotSpellIsTold) {
  TestVocabulary vocabulary = without_bos(byte_level_vocabulary("gpt-2"));
  vocabulary.merges = {"h e"};
  vocabulary.tokens[0xFF] = "(none)";
  vocabulary.tokens[0xC3] = "(nor this)";
  const VocabularyFile file(vocabulary);
  const Outcome bad_byte = file.tokenize({"--ids", "--stdin"}, "h\xFF");
  EXPECT_EQ(bad_byte.out, "[104, 239, 191, 189]\n");
  EXPECT_THAT(bad_byte.err, AllOf(HasSubstr("note: 1 byte"), HasSubstr("U+FFFD")));
  const Outcome character = file.tokenize({"--ids", "--stdin"}, "h\u00E9");
  EXPECT_EQ(character.status, 1);
  EXPECT_EQ(character.out, "");
  EXPECT_THAT(character.err, HasSubstr("cannot spell 'é'"));
  vocabulary.unknown = 278;
  const Outcome unknown = VocabularyFile(vocabulary).tokenize({"--ids", "--stdin"}, "h\u00E9");
  EXPECT_EQ(unknown.out, "[104, 278, 169]\n");
  EXPECT_THAT(unknown.err, HasSubstr("the unknown token stands for 1 byte"));
}

TEST_F(Tokenize, UnknownPreTokenizer) {
  TestVocabulary vocabulary = byte_level_vocabulary("nosuchpre");
  for (const char* pre : {"nosuchpre", ""}) {
    vocabulary.pre = pre;
    const VocabularyFile file(vocabulary);
    const Outcome outcome = file.tokenize({"-p", "h"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, AllOf(StartsWith("error: " + file.path()),
                                   HasSubstr("--override-kv tokenizer.ggml.pre=str:NAME"),
                                   HasSubstr("llama-bpe, "), HasSubstr("qwen2, "), HasSubstr("seed-coder")));
    EXPECT_EQ(file.ids({"--override-kv", "tokenizer.ggml.pre=str:gpt-2", "-p", " 3"}), "[261]");
  }
}

TEST_F(Tokenize, ModelsAndTheBuiltinOne) {
  const ModelFile model(table_model(path_table({104, 65})));
  EXPECT_EQ(model.command("tokenize", {"-p", "hello", "--ids"}).out, "[265]\n");
  const Outcome builtin = run_program({"tokenize", "--no-bos", "--ids", "Once upon a time"});
  EXPECT_EQ(builtin.status, 0) << builtin.err;
  const std::string ids = builtin.out.substr(0, builtin.out.size() - 1);
  EXPECT_EQ(run_program({"tokenize", "--decode", ids}).out, "Once upon a time");
}

TEST_F(Tokenize, LongTextsOnASmallStack) {
  if (program_is_emulated()) GTEST_SKIP() << "the limit would be the emulator's";
  const auto count = [](const VocabularyFile& file, const std::string& text) {
    Launch launch = file.launch({"--count", "--no-bos", "--no-escape", "--stdin"}, text);
    launch.in_child = [] {
      const rlimit limit = {256u << 10, 256u << 10};
      ::setrlimit(RLIMIT_STACK, &limit);
    };
    const Outcome outcome = run_program(launch);
    return outcome.status == 0 ? outcome.out : outcome.err + std::to_string(outcome.signal);
  };
#ifdef ARMATURE_SANITIZED
  GTEST_SKIP() << "sanitizers need more for themselves";
#endif
  std::string random(200'000, '\0');
  std::uint32_t state = 1;
  for (char& c : random) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  const std::string letters(200'000, 'a'), spaces(100'000, ' '), feeds(50'000, '\n'), digits(1'000'000, '3');
  EXPECT_EQ(count(bpe, letters), "200000\n");
  EXPECT_EQ(count(bpe, spaces), "50000\n");
  EXPECT_EQ(count(bpe, feeds), "25000\n");
  EXPECT_EQ(count(bpe, digits), "333334\n");
  EXPECT_EQ(count(spm, letters), "200001\n");
  EXPECT_EQ(count(spm, digits), "1000001\n");
  EXPECT_EQ(count(spm, feeds), "50001\n");
  for (const VocabularyFile* file : {&bpe, &spm}) EXPECT_GT(std::stoi(count(*file, random)), 190'000);
}

}  // namespace
}  // namespace armature::test
