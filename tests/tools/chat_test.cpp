// `armature chat` with messages from a pipe.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/tools/chat_support.h"

namespace armature::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Tests that start the program many times, which takes minutes under an emulator.
class Natively : public testing::Test {
 protected:
  void SetUp() override {
    if (program_is_emulated()) GTEST_SKIP() << "tested natively";
  }
};
using ChatInput = Natively;
using ChatCommands = Natively;
using ChatSystem = Natively;
using ChatTemplate = Natively;
using ChatContext = Natively;
using ChatAnswer = Natively;
using ChatSampling = Natively;
using ChatEnd = Natively;
using RunContextShift = Natively;

int number(const json& turn, const char* key) { return turn.at(key).get<int>(); }

TEST(ChatTurns, AnswersEachLine) {
  const Chat chat(answering_model());
  const Outcome outcome = chat.run("one\n\ntwo\nthree");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "A\nA\nA\n") << "an empty line is no message";
  EXPECT_THAT(outcome.err, HasSubstr("seed: "));
  EXPECT_EQ(chat.run("").out, "");
  EXPECT_EQ(chat.run("", {"-p", "one"}).out, "A\n");
  EXPECT_EQ(chat.run("two\n", {"one", "and", "a", "half"}).out, "A\nA\n");
}

TEST_F(ChatInput, EndsAfterASingleTurn) {
  const Chat chat(answering_model());
  EXPECT_EQ(chat.run("one\ntwo\n", {"-st"}).out, "A\n");
  EXPECT_EQ(chat.run("one\ntwo\n", {"-st", "-p", "zero"}).out, "A\n");
}

TEST(ChatTurns, TwentyTurnsProcessNoTokenTwice) {
  const Chat chat(answering_model());
  std::string input;
  for (int i = 0; i < 20; ++i) input += "message " + std::to_string(i) + " hello\n";
  const auto turns = chat.turns(input, {"-sys", "be brief"});
  ASSERT_EQ(turns.size(), 20u);
  EXPECT_EQ(number(turns[0], "n_cached"), 0);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const json& turn = turns[i];
    EXPECT_EQ(turn["turn"], i + 1);
    EXPECT_EQ(turn["text"], "A");
    EXPECT_EQ(turn["stop_reason"], "eos");
    EXPECT_EQ(number(turn, "n_generated"), 2);
    EXPECT_EQ(number(turn, "n_cached") + number(turn, "n_processed"), number(turn, "n_prompt"));
    if (i == 0) continue;
    const int before = number(turns[i - 1], "n_prompt") + number(turns[i - 1], "n_generated");
    EXPECT_EQ(number(turn, "n_cached"), before - 1) << "the last token was made and not yet processed";
  }
}

TEST(ChatTurns, CommandsProcessWhatChangedAlone) {
  const Chat chat(answering_model());
  const auto turns =
      chat.turns("one\ntwo\n/regen\n/undo\nother\n/system be brief\nfour\n/clear\nfive\n/system\nsix\n");
  ASSERT_EQ(turns.size(), 7u);
  const json &two = turns[1], &again = turns[2], &other = turns[3], &brief = turns[4], &five = turns[5];
  EXPECT_EQ(number(again, "n_prompt"), number(two, "n_prompt"));
  EXPECT_EQ(number(again, "n_processed"), 1) << "the last token, for its logits";
  // "other" takes the place of "two": all before it stays, the head of the message too.
  EXPECT_EQ(number(other, "n_cached"),
            number(turns[0], "n_prompt") + number(turns[0], "n_generated") + 7 /* \n <im> user \n */);
  EXPECT_EQ(number(brief, "n_cached"), 2) << "BOS and <im>";
  EXPECT_GT(number(five, "n_cached"), 10) << "the system message stays";
  EXPECT_LT(number(five, "n_prompt"), number(brief, "n_prompt"));
  EXPECT_EQ(number(turns[6], "n_cached"), 2);
}

TEST_F(ChatInput, LinesThatGoOn) {
  const Chat chat(answering_model());
  EXPECT_EQ(chat.run("one\\\ntwo\nthree\n", {"--echo"}).out, "> one\ntwo\nA\n> three\nA\n");
  EXPECT_EQ(chat.run("one\ntwo\\\nthree\nfour/\nfive", {"--echo", "-mli"}).out,
            "> one\ntwo\nA\n> three\nfour\nA\n> five\nA\n");
  EXPECT_EQ(chat.run("/regen\none\\\n", {"--echo", "-mli"}).out, "> one\nA\n");
}

TEST_F(ChatInput, SlashesThatAreText) {
  const Chat chat(answering_model());
  EXPECT_EQ(chat.run("//help me\n", {"--echo"}).out, "> /help me\nA\n");
  EXPECT_EQ(chat.run("", {"--echo", "-p", "/help"}).out, "> /help\nA\n") << "-p is a message";
}

TEST_F(ChatCommands, CommandsThatAreWrong) {
  const Chat chat(answering_model());
  const Outcome outcome = chat.run("/cleer\n/save\n/clear all\n/undo\none\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "A\n") << "the chat goes on";
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("'/cleer'"), HasSubstr("the nearest is /clear"), HasSubstr("//")));
  EXPECT_THAT(outcome.err, HasSubstr("/save needs the name of a file"));
  EXPECT_THAT(outcome.err, HasSubstr("/clear takes nothing"));
  EXPECT_THAT(outcome.err, HasSubstr("no message to take back"));
}

TEST_F(ChatCommands, SlashAloneIsNoCommand) {
  const Outcome outcome = Chat(answering_model()).run("/\n");
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("error: / alone is no command; /help"), Not(HasSubstr("nearest"))));
}

TEST_F(ChatCommands, HelpTellsHowMessagesEnd) {
  const Chat chat(answering_model());
  EXPECT_THAT(chat.run("/help\n").err, HasSubstr("a backslash at the end of a line: another line"));
  EXPECT_THAT(chat.run("/help\n", {"-mli"}).err,
              AllOf(HasSubstr("A backslash or a slash at the end of a line ends the message"),
                    Not(HasSubstr("another line"))));
}

TEST_F(ChatCommands, CommandsSpeakOnStandardError) {
  const Chat chat(answering_model());
  const Outcome outcome = chat.run("one\n/help\n/stats\n/exit\ntwo\n");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "A\n");
  for (const char* name : {"/clear", "/regen", "/undo", "/system", "/save", "/load", "/stats", "/exit"})
    EXPECT_THAT(outcome.err, HasSubstr(name));
  EXPECT_THAT(outcome.err, HasSubstr("of 4096 tokens; 2 messages"));
}

TEST_F(ChatSystem, FromTextAndFile) {
  const Chat chat(answering_model());
  const TempDir folder;
  const auto by_text = chat.turns("one\n", {"-sys", "be\\nbrief"});
  const auto by_file = chat.turns("one\n", {"-sysf", folder.write("system", "be\nbrief\n")});
  EXPECT_EQ(by_text[0]["n_prompt"], by_file[0]["n_prompt"]);
  EXPECT_GT(number(by_text[0], "n_prompt"), number(chat.turns("one\n")[0], "n_prompt"));
  EXPECT_EQ(chat.run("", {"-sysf", folder.path("missing")}).status, 1);
}

TEST_F(ChatTemplate, ThatCannotBeUsed) {
  TinyModel tiny = answering_model();
  tiny.set("tokenizer.chat_template", "{% for m in messages %}{{ m.content }");
  const Outcome broken = Chat(tiny).run("one\n");
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.err, AllOf(HasSubstr("template"), HasSubstr("line 1, column")));
  tiny.erase_key("tokenizer.chat_template");
  const Outcome missing = Chat(tiny).run("one\n");
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("no chat template"), HasSubstr("--chat-template")));
  EXPECT_EQ(Chat(tiny).run("one\n", {"--chat-template", kChatTemplate}).out, "A\n");
  EXPECT_EQ(Chat(tiny).run("one\n", {"--raw"}).status, 2);
}

TEST_F(ChatTemplate, ThatRefusesAMessage) {
  TinyModel tiny = answering_model();
  tiny.set("tokenizer.chat_template",
           std::string("{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}") +
               kChatTemplate);
  const Chat chat(tiny);
  const Outcome outcome = chat.run("one\n/system\ntwo\n", {"-sys", "be brief"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "A\n") << "without a system message it goes on";
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("no system"), HasSubstr("/system alone removes"), Not(HasSubstr("--raw"))));
  EXPECT_THAT(outcome.err, HasSubstr("\nthe system message is removed\n"));
  const auto turns = chat.turns("one\n/system\ntwo\n", {"-sys", "be brief"}, 1);
  EXPECT_THAT(turns[0]["error"].get<std::string>(), HasSubstr("no system"));
  EXPECT_EQ(turns[1]["text"], "A");
}

TEST_F(ChatContext, RefusesAMessageThatDoesNotFit) {
  TinyModel tiny = table_model(path_table({66, 276}), -20.0f, 64);
  tiny.set("tokenizer.ggml.add_bos_token", true);
  tiny.set("tokenizer.chat_template", "{{ messages[0].content }}");
  const Outcome alone = Chat(tiny).run("", {"-st", "-p", "A" + std::string(200, 'B')});
  EXPECT_EQ(alone.status, 1);
  EXPECT_EQ(alone.out, "");
  EXPECT_THAT(alone.err, AllOf(HasSubstr("202 tokens"), HasSubstr("64")));
  const auto turns = Chat(tiny).turns("A" + std::string(200, 'B') + "\nB\n", {}, 1);
  EXPECT_THAT(turns[0]["error"].get<std::string>(), HasSubstr("202"));
  EXPECT_EQ(turns[1]["n_prompt"], 2) << "the message that did not fit is dropped";
}

TEST_F(ChatContext, FullIsAnEndOfTheAnswer) {
  const Chat chat(endless_model(64));
  const Outcome outcome = chat.run("one\n/undo\ntwo\n");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("context of 64 tokens is full"), HasSubstr("/clear")));
  const auto turns = chat.turns("one\ntwo\n/undo\ntwo\n", {}, 1);
  ASSERT_EQ(turns.size(), 3u);
  EXPECT_EQ(turns[0]["stop_reason"], "context");
  EXPECT_THAT(turns[1]["error"].get<std::string>(), HasSubstr("the context 64"));
  EXPECT_EQ(turns[2]["n_prompt"], turns[0]["n_prompt"]) << "/undo makes room again";
}

TEST(ChatTurns, ShiftDropsTheOldest) {
  const Chat chat(endless_model(128));
  const auto turns = chat.turns("one\ntwo\nthree\nfour\n", {"--context-shift", "-n", "100", "-sys", "x"});
  ASSERT_EQ(turns.size(), 4u);
  for (const json& turn : turns) {
    EXPECT_EQ(turn["stop_reason"], "length");
    EXPECT_EQ(turn["text"], std::string(100, 'B'));
    EXPECT_LE(number(turn, "n_prompt"), 128);
    EXPECT_GT(number(turn, "n_dropped"), 50);
  }
  EXPECT_GT(number(turns[1], "n_cached"), 60) << "what a shift left is still there";
  const Outcome told = chat.run("one\n", {"--context-shift", "-n", "120"});
  EXPECT_THAT(told.err, testing::ContainsRegex("the oldest [0-9]+ tokens were dropped"));
}

TEST_F(ChatContext, ShiftNeverDropsTheMessageItself) {
  const auto turns = Chat(endless_model(64)).turns(std::string(80, 'x') + "\n", {"--context-shift"}, 1);
  EXPECT_THAT(turns[0]["error"].get<std::string>(), HasSubstr("the context 64"));
}

TEST_F(ChatAnswer, StopStringsAreNeverShown) {
  TinyModel tiny = table_model(path_table({10, 65, 266, 33, 277}));
  tiny.set("tokenizer.chat_template", kChatTemplate);
  const Chat chat(tiny);
  const std::pair<const char*, const char*> cases[] = {
      {"ello", "A h"}, {"o!", "A hell"}, {" hello", "A"}, {"hello ", "A hello!"}, {"A h", ""}};
  for (const auto& [stop, text] : cases) {
    EXPECT_EQ(chat.run("x\ny\n", {"-r", stop}).out, std::string(text) + "\n" + text + "\n") << stop;
    const auto turns = chat.turns("x\ny\n", {"-r", stop});
    EXPECT_EQ(turns[0]["text"], text);
    EXPECT_EQ(turns[1]["text"], text);
    EXPECT_EQ(turns[0]["stop_reason"], std::string(text) == "A hello!" ? "eos" : "stop");
  }
}

TEST_F(ChatAnswer, IsValidUtf8) {
  TinyModel tiny = table_model(path_table({10, 255, 65, 192, 128, 277}));
  tiny.set("tokenizer.chat_template", kChatTemplate);
  const std::string text = "\uFFFDA\uFFFD\uFFFD";
  const Chat chat(tiny);
  EXPECT_EQ(chat.run("x\ny\n").out, text + "\n" + text + "\n");
  const auto turns = chat.turns("x\ny\n");
  EXPECT_EQ(turns[1]["text"], text);
  EXPECT_EQ(number(turns[1], "n_cached"), number(turns[0], "n_prompt") + number(turns[0], "n_generated") - 1);
}

TEST_F(ChatAnswer, HasAsManyTokensAsAsked) {
  const auto turns = Chat(endless_model()).turns("x\ny\n", {"-n", "3"});
  EXPECT_EQ(turns[0]["text"], "BBB");
  EXPECT_EQ(turns[0]["stop_reason"], "length");
  EXPECT_EQ(number(turns[1], "n_cached"), number(turns[0], "n_prompt") + 2);
}

TEST_F(ChatSampling, PenaltiesLookBackOnEarlierTurns) {
  LogitTable table = path_table({10, 88, 277});
  table[{10, 89}] = 4.9f;
  table[{89, 277}] = 5.0f;
  TinyModel tiny = table_model(table);
  tiny.set("tokenizer.chat_template", kChatTemplate);
  const auto turns = Chat(tiny).turns("one\ntwo\n", {"--repeat-penalty", "1.1", "--repeat-last-n", "-1"});
  EXPECT_EQ(turns[0]["text"], "X");
  EXPECT_EQ(turns[1]["text"], "Y");
}

TEST_F(ChatSampling, SeedRepeatsAChat) {
  LogitTable even;
  for (int last = 0; last < 280; ++last) {
    for (int next = 64; next < 128; ++next) even[{last, next}] = 0.0f;
  }
  TinyModel tiny = table_model(even);
  tiny.set("tokenizer.chat_template", kChatTemplate);
  const Chat chat(tiny);
  const auto answers = [&](const Args& seed) {
    const Args all_off = {"--temp", "1", "--top-k", "0", "--top-p", "1", "--min-p", "0", "-n", "16"};
    return chat.turns("one\ntwo\n/regen\n", all_off + seed);
  };
  const auto first = answers({});
  EXPECT_NE(first[0]["tokens"], first[1]["tokens"]);
  EXPECT_NE(first[1]["tokens"], first[2]["tokens"]) << "/regen draws anew";
  const auto again = answers({"-s", std::to_string(first[0]["seed"].get<std::uint32_t>())});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(again[i]["tokens"], first[i]["tokens"]) << i;
  EXPECT_NE(answers({})[0]["tokens"], first[0]["tokens"]);
}

TEST_F(ChatEnd, ReaderOfStandardOutputLeaves) {
  const Chat chat(endless_model());
  Launch launch = chat.launch("one\ntwo\n");
  launch.in_child = [] {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(125);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
  };
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 1) << outcome.signal;
  EXPECT_THAT(outcome.err, Not(HasSubstr("error")));
}

TEST_F(ChatEnd, InterruptWithoutATerminalEndsTheProgram) {
  const Chat chat(endless_model(1u << 20));
  Process process(chat.launch("one\ntwo\n"));
  ASSERT_TRUE(process.wait_for_output());
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.signal;
  EXPECT_TRUE(outcome.out.ends_with("B\n")) << "the answer so far, and no other";
}

TEST_F(ChatEnd, InterruptWhileAMessageIsAwaited) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(::write(ends[1], "one\n", 4), 4);
  const Chat chat(answering_model());
  Launch launch = chat.launch("");
  launch.in_child = [&] { ::dup2(ends[0], STDIN_FILENO); };
  Process process(launch);
  ASSERT_TRUE(process.wait_for_output());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // no other message comes
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.signal;
  EXPECT_EQ(outcome.out, "A\n");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(ChatEnd, FaultsThatNoMessageMends) {
  TinyModel broken = answering_model();
  broken.set_weights("output_norm.weight",
                     std::vector<float>(kTableHidden, std::numeric_limits<float>::quiet_NaN()));
  const Outcome outcome = Chat(broken).run("one\ntwo\n/regen\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("finite"));
}

TEST_F(RunContextShift, GoesOnWithoutAnEnd) {
  const ModelFile model(table_model(path_table({66, 66}), -20.0f, 16));
  const Outcome outcome = model.greedy({"-p", "BBBB", "-n", "100", "--context-shift", "--keep", "4"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, std::string(100, 'B'));
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("stop: length"), HasSubstr("tokens were dropped")));
  EXPECT_EQ(model.greedy({"-p", "BBBB", "-n", "100", "--json", "--keep", "4"}).json()["stop_reason"],
            "context");
  const std::string all = std::string(16, 'B');
  EXPECT_EQ(model.greedy({"-p", all, "-n", "100", "--json", "--context-shift", "--keep", "-1"})
                .json()["stop_reason"],
            "context")
      << "nothing may be dropped";
}

// What attention sees after a shift are the tokens that were kept and the younger half of the others.
TEST_F(RunContextShift, KeepsTheFirstTokensAndTheYoungerHalf) {
  const ModelFile model(count_model(16));
  const Args flags = {"-p", "aaaaaaabbbbbbbb", "-n", "4", "--json", "--context-shift"};
  // Nine b lead seven a when the context is full; if the a are kept, four b go, and a leads.
  EXPECT_EQ(model.greedy(flags + Args{"--keep", "7"}).json()["text"], "bbaa");
  EXPECT_EQ(model.greedy(flags).json()["text"], "bbbb") << "the a are the oldest";
}

}  // namespace
}  // namespace armature::test
