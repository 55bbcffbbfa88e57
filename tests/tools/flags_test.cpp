#include "tools/cli/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tools/answer/prompt_source.h"
#include "tools/cli/help.h"

namespace armature::tools {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Arguments parse(std::vector<std::string_view> args) { return Arguments::parse(kRun, args); }

/// The message of a command line that must be refused.
std::string refusal(std::vector<std::string_view> args) {
  try {
    parse(args);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(Flags, EveryNameIsThereOncePerCommand) {
  std::map<std::string_view, Commands> seen;
  for (const Flag& flag : flag_table()) {
    for (const std::string_view list : {flag.names, flag.negatives}) {
      for (const std::string_view name : split_words(list)) {
        EXPECT_TRUE(name.starts_with('-')) << name;
        EXPECT_EQ(seen[name] & flag.commands, 0u) << name;
        seen[name] |= flag.commands;
      }
    }
  }
}

TEST(Flags, InitialValuesAreThemselvesAllowed) {
  for (const Flag& flag : flag_table()) {
    if (flag.value == ValueKind::None || flag.initial.empty()) continue;
    const std::string_view name = split_words(flag.names).front();
    const Commands one = flag.commands & (~flag.commands + 1);
    const std::string_view args[] = {name, flag.initial};
    EXPECT_EQ(Arguments::parse(one, args).text(flag.option), flag.initial) << name;
  }
}

TEST(Flags, EveryFormOfWriting) {
  EXPECT_EQ(parse({"-n", "7"}).integer(Option::NPredict), 7);
  EXPECT_EQ(parse({"--n-predict", "7"}).integer(Option::NPredict), 7);
  EXPECT_EQ(parse({"--predict=7"}).integer(Option::NPredict), 7);
  EXPECT_EQ(parse({"--n_predict=7"}).integer(Option::NPredict), 7);
  EXPECT_EQ(parse({"--n_predict", "7"}).integer(Option::NPredict), 7);
  EXPECT_EQ(parse({"-ub", "9", "-tb", "3"}).integer(Option::UbatchSize), 9);
  EXPECT_EQ(parse({"-p", "a=b_c"}).text(Option::Prompt), "a=b_c");
  EXPECT_EQ(parse({"--prompt=a=b"}).text(Option::Prompt), "a=b");
  EXPECT_EQ(parse({"-p", "--temp"}).text(Option::Prompt), "--temp");
}

TEST(Flags, WordsAreTheRest) {
  EXPECT_THAT(parse({"Once", "-n", "1", "upon", "-"}).words(), ElementsAre("Once", "upon", "-"));
  EXPECT_THAT(parse({"-n", "1", "--", "-n", "--"}).words(), ElementsAre("-n", "--"));
}

TEST(Flags, LastOneCounts) {
  const Arguments args = parse({"-r", "a", "--temp", "1", "-r", "b", "--temp", "0.5"});
  EXPECT_EQ(args.real(Option::Temperature), 0.5);
  EXPECT_THAT(args.all(Option::Stop), ElementsAre("a", "b"));
}

TEST(Flags, SwitchesTurnOnAndOff) {
  EXPECT_TRUE(parse({}).is_on(Option::Mmap));
  EXPECT_FALSE(parse({"--no-mmap"}).is_on(Option::Mmap));
  EXPECT_TRUE(parse({"--no-mmap", "--mmap"}).is_on(Option::Mmap));
  EXPECT_TRUE(parse({}).is_on(Option::Escape));
  EXPECT_FALSE(parse({"--no_escape"}).is_on(Option::Escape));
  EXPECT_FALSE(parse({}).is_given(Option::Conversation));
  EXPECT_TRUE(parse({"-cnv"}).is_on(Option::Conversation));
  for (const std::string_view name : {"-no-cnv", "--no-conversation", "--raw"}) {
    const Arguments args = parse({name});
    EXPECT_TRUE(args.is_given(Option::Conversation) && !args.is_on(Option::Conversation)) << name;
  }
  EXPECT_THAT(refusal({"--mlock=1"}), HasSubstr("--mlock takes no value"));
}

TEST(Flags, FlashAttentionInAllGenerations) {
  for (const std::string_view name : {"-fa", "--flash-attn", "--flash_attn"}) {
    EXPECT_EQ(parse({name}).text(Option::FlashAttn), "on");
    EXPECT_EQ(parse({name, "auto"}).text(Option::FlashAttn), "auto");
    EXPECT_EQ(parse({name, "off", "-n", "1"}).text(Option::FlashAttn), "off");
    const Arguments args = parse({name, "-p", "x"});
    EXPECT_EQ(args.text(Option::FlashAttn), "on");
    EXPECT_EQ(args.text(Option::Prompt), "x");
  }
  EXPECT_THAT(refusal({"-fa", "Hello"}), AllOf(HasSubstr("'Hello'"), HasSubstr("on, enabled, true")));
  EXPECT_THAT(parse({"Hello", "-fa"}).words(), ElementsAre("Hello"));
  EXPECT_THAT(refusal({"--flash-attn=maybe"}), HasSubstr("'maybe'"));
}

TEST(Flags, OfThoseThatDecideTheSameTheLastCounts) {
  const Arguments args = parse({"-f", "a", "-p", "x", "-bf", "b"});
  EXPECT_FALSE(args.is_given(Option::File));
  EXPECT_FALSE(args.is_given(Option::Prompt));
  EXPECT_EQ(args.text(Option::BinaryFile), "b");
  EXPECT_THAT(args.notes(), ElementsAre("-f has no effect: -p after it decides the same",
                                        "-p has no effect: -bf after it decides the same"));
  EXPECT_FALSE(parse({"--rope-scale", "8", "--rope-freq-scale", "1"}).is_given(Option::RopeScale));
  EXPECT_FALSE(parse({"-sys", "a", "-sysf", "b"}).is_given(Option::System));
  const Arguments left = parse({"-rea", "off", "--reasoning-budget", "-1", "--mlock", "-lm", "auto"});
  EXPECT_EQ(left.text(Option::Thinking), "off") << "-1 decides nothing";
  EXPECT_TRUE(left.is_on(Option::Mlock)) << "nor does auto";
  EXPECT_THAT(left.notes(), testing::IsEmpty());
}

TEST(Flags, FilesHaveNames) {
  EXPECT_THAT(refusal({"-m", ""}), HasSubstr("-m: value ''; allowed: the name of a file"));
  EXPECT_EQ(parse({"-p", ""}).text(Option::Prompt), "");
}

TEST(Flags, UnknownOnesNameTheNearest) {
  EXPECT_THAT(refusal({"--thread", "4"}), HasSubstr("'--thread'; the nearest is --threads"));
  EXPECT_THAT(refusal({"--tempe", "4"}), HasSubstr("the nearest is --temp"));
  EXPECT_THAT(refusal({"--ctx_sise=4"}), HasSubstr("the nearest is --ctx-size"));
  EXPECT_THAT(refusal({"-fx"}), HasSubstr("the nearest is -f"));
  EXPECT_THAT(refusal({"--\x1b[2J"}), HasSubstr("\\x1b"));
}

TEST(Flags, ValuesThatAreMissing) {
  EXPECT_THAT(refusal({"-t"}), HasSubstr("-t needs a value: 1 to 1024, auto"));
  EXPECT_THAT(refusal({"--model"}), HasSubstr("--model needs a value"));
}

struct Refused {
  std::string_view flag;
  std::vector<std::string_view> values;
  std::string_view allowed;
};

TEST(Flags, ValuesOutOfRange) {
  const Refused cases[] = {
      {"-t",
       {"0", "-5", "1000000000", "abc", "4x", "", " 4", "4 ", "1.5", "99999999999999999999"},
       "1 to 1024, auto"},
      {"-n", {"-7", "100000000000"}, "-2 to 2147483647"},
      {"--temp", {"nan", "-1", "inf", "1e400", "x", ""}, "a finite number of at least 0"},
      {"--top-p", {"nan", "-1", "2"}, "0 to 1"},
      {"--top-k", {"-2147483648", "nan"}, "-1 to 2147483647"},
      {"--min-p", {"nan", "1.5"}, "0 to 1"},
      {"--repeat-penalty", {"0", "nan", "-1"}, "a finite number above 0"},
      {"--repeat-last-n", {"-2"}, "-1 to 2147483647"},
      {"--presence-penalty", {"nan", "inf"}, "a finite number"},
      {"-c", {"-1", "2147483648"}, "0 to 2147483647"},
      {"-b", {"0", "-1"}, "1 to 2147483647"},
      {"-ub", {"0"}, "1 to 2147483647"},
      {"-s", {"-2", "4294967296"}, "-1 to 4294967295"},
      {"-ctk", {"q8_0"}, "f16, f32"},
  };
  for (const Refused& c : cases) {
    for (const std::string_view value : c.values) {
      const std::string message = refusal({c.flag, value});
      EXPECT_THAT(message, HasSubstr(std::string(c.flag) + ": value '" + std::string(value) + "'"));
      EXPECT_THAT(message, HasSubstr("allowed: " + std::string(c.allowed)));
    }
  }
}

TEST(Flags, ValuesAtTheEdge) {
  EXPECT_EQ(parse({"--temp", "1e-40"}).real(Option::Temperature), 1e-40);
  EXPECT_EQ(parse({"--temp", "1e30"}).real(Option::Temperature), 1e30);
  EXPECT_EQ(parse({"--top-k", "1000000000"}).integer(Option::TopK), 1000000000);
  EXPECT_EQ(parse({"-s", "4294967295"}).integer(Option::Seed), 4294967295);
  EXPECT_EQ(parse({"-n", "0"}).integer(Option::NPredict), 0);
  EXPECT_EQ(parse({"-t", "1024"}).integer(Option::Threads), 1024);
}

TEST(Flags, OthersFlagsAreIgnoredWithOneNoteForEachReason) {
  const Arguments args =
      parse({"-ngl", "99", "--no-kv-offload", "--split_mode=layer", "--no-warmup", "word"});
  ASSERT_EQ(args.notes().size(), 2u);
  EXPECT_THAT(args.notes()[0], HasSubstr("-ngl, --no-kv-offload, --split_mode"));
  EXPECT_THAT(args.notes()[1], HasSubstr("--no-warmup"));
  EXPECT_THAT(args.words(), ElementsAre("word"));
}

TEST(Flags, HelpNamesEachOfThem) {
  for (const Command& command : commands()) {
    const std::string help = command_help(command);
    for (const Flag& flag : flag_table()) {
      if ((flag.commands & command.bit) == 0 || flag.option == Option::Refused) continue;
      for (const std::string_view name : split_words(flag.names))
        EXPECT_NE(help.find(name), std::string::npos) << command.name << " " << name;
    }
  }
}

TEST(Escapes, AreReplacedOnce) {
  EXPECT_EQ(process_escapes(R"(a\nb\t\r\"\'\\n)"), "a\nb\t\r\"'\\n");
  EXPECT_EQ(process_escapes(R"(\x41\xc3\xa9\x00)"), std::string("A\xC3\xA9\0", 4));
  EXPECT_EQ(process_escapes(R"(\q \x4 \xzz \x+1 \)"), R"(\q \x4 \xzz \x+1 \)");
}

}  // namespace
}  // namespace armature::tools
