// `armature chat` as a person has it: in a pseudo-terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"
#include "tests/tools/terminal.h"

namespace armature::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kTemplate =
    "{% for m in messages %}<im>{{ m.role }}\n{{ m.content }}<eot>\n{% endfor %}"
    "{% if add_generation_prompt %}<im>assistant\n{% endif %}";

constexpr const char* kUp = "\x1b[A";
constexpr const char* kDown = "\x1b[B";
constexpr const char* kLeft = "\x1b[D";
constexpr const char* kHome = "\x1b[H";
constexpr const char* kWordLeft = "\x1b[1;5D";
constexpr const char* kDelete = "\x1b[3~";
constexpr const char* kAltEnter = "\x1b\r";
constexpr const char* kEnter = "\r";
constexpr const char* kBackspace = "\x7f";
constexpr const char* kControlA = "\x01";
constexpr const char* kControlC = "\x03";
constexpr const char* kControlD = "\x04";
constexpr const char* kControlK = "\x0b";
constexpr const char* kControlU = "\x15";
constexpr const char* kControlW = "\x17";
constexpr const char* kControlY = "\x19";

/// A chat whose model answers "A"; endless: "BBB..." until it is stopped.
class ChatTerminal : public testing::Test {
 protected:
  void SetUp() override {
    if (program_is_emulated()) GTEST_SKIP() << "keys and time limits are tested natively";
  }

  std::string model(bool endless) {
    TinyModel tiny =
        table_model(endless ? path_table({10, 66, 66}) : path_table({10, 65, 277}), -20.0f, 1u << 18);
    tiny.set("tokenizer.chat_template", kTemplate);
    return folder_.write("model.gguf", tiny);
  }

  Terminal::Start start(const Args& args = {}, bool endless = false) {
    return {.args = Args{"chat", "-m", model(endless), "--temp", "0"} + args,
            .environment = {{"XDG_STATE_HOME", folder_.path("state")}}};
  }
  std::string history_file() const { return folder_.path("state/armature/history"); }
  std::string history() const {
    std::ifstream file(history_file());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// The messages of the chat, by /save; the terminal is at a prompt, and there again afterwards.
  std::vector<std::string> messages(Terminal& terminal) {
    const std::string file = folder_.path("saved.json");
    terminal.type("/save " + file + kEnter);
    EXPECT_TRUE(terminal.expect("are saved in"));
    EXPECT_TRUE(terminal.expect("> "));
    std::ifstream saved(file);
    const json chat = json::parse(saved);
    std::vector<std::string> texts;
    for (const json& message : chat["messages"]) texts.push_back(message["content"]);
    return texts;
  }

  TempDir folder_;
};

using Texts = std::vector<std::string>;

TEST_F(ChatTerminal, KeysEditTheLine) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("/help lists the commands"));
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type("wrld");
  for (int i = 0; i < 3; ++i) terminal.type(kLeft);
  terminal.type("o");
  terminal.type(std::string(kControlA) + "hello  " + kBackspace);
  terminal.settle();
  EXPECT_EQ(terminal.screen().last_row(), "> hello world");
  EXPECT_EQ(terminal.screen().cursor_column(), 8u);
  terminal.type(kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("one two three") + kControlW + kWordLeft + kControlK + "four" + kControlA +
                kDelete + kControlY + " \x1b[C\x1b" + "f" + kControlU + "x " + kControlY + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  const Texts texts = messages(terminal);
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts[0], "hello world");
  EXPECT_EQ(texts[1], "A");
  EXPECT_EQ(texts[2], "x two  ne four");
  terminal.type(kControlD);
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(ChatTerminal, CharactersOfSeveralBytesAndColumns) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type("e\u0301\u4f60\u597d!");  // e with a combining accent, two wide characters
  terminal.settle();
  EXPECT_EQ(terminal.screen().cursor_column(), 2u + 1 + 4 + 1);
  terminal.type(std::string(kLeft) + kLeft + kBackspace + kLeft + "\u00e4" + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  EXPECT_EQ(messages(terminal)[0], "\u00e4e\u0301\u597d!");
}

TEST_F(ChatTerminal, HistoryGoesBackAndStays) {
  {
    Terminal terminal(start());
    ASSERT_TRUE(terminal.expect("> "));
    terminal.type(std::string("first") + kEnter);
    ASSERT_TRUE(terminal.expect("A\r\n"));
    ASSERT_TRUE(terminal.expect("> "));
    terminal.type(std::string("two") + kAltEnter + "lines" + kEnter);
    ASSERT_TRUE(terminal.expect("A\r\n"));
    ASSERT_TRUE(terminal.expect("> "));
    terminal.type(std::string("new") + kUp + kUp + kUp);
    terminal.settle();
    EXPECT_EQ(terminal.screen().last_row(), "> first");
    terminal.type(std::string(kDown) + kDown + kDown);
    terminal.settle();
    EXPECT_EQ(terminal.screen().last_row(), "> new") << "what was typed first is not lost";
    terminal.type(kControlC);
    ASSERT_TRUE(terminal.expect("^C"));
    ASSERT_TRUE(terminal.expect("> "));
    terminal.type(kControlD);
    EXPECT_EQ(terminal.wait(), 0);
  }
  EXPECT_EQ(history(), "first\ntwo\\nlines\n");
  struct stat status = {};
  ASSERT_EQ(::stat(history_file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
  Terminal terminal(start({"--no-history"}));
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("unseen") + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(kControlD);
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(history(), Not(HasSubstr("unseen")));
}

TEST_F(ChatTerminal, OlderHistoryBecomesPrivate) {
  std::filesystem::create_directories(folder_.path("state/armature"));
  folder_.write("state/armature/history", "first\n");
  ASSERT_EQ(::chmod(history_file().c_str(), 0666), 0);
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(kUp);
  ASSERT_TRUE(terminal.expect("first"));
  struct stat status = {};
  ASSERT_EQ(::stat(history_file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

/// What the terminal shows of a chat with two messages, where a history has no place.
std::string without_history(const Terminal::Start& start) {
  Terminal terminal(start);
  for (const char* message : {"x", "y"}) {
    EXPECT_TRUE(terminal.expect("> "));
    terminal.type(std::string(message) + kEnter);
    EXPECT_TRUE(terminal.expect("A\r\n"));
  }
  EXPECT_TRUE(terminal.expect("> "));
  terminal.type(kControlD);
  EXPECT_EQ(terminal.wait(), 0);
  return terminal.output();
}

TEST_F(ChatTerminal, HistoryThatCannotBeKeptIsToldOnce) {
  std::filesystem::create_directories(folder_.path("folder/armature/history"));
  std::filesystem::create_directories(folder_.path("pipe/armature"));
  ASSERT_EQ(::mkfifo(folder_.path("pipe/armature/history").c_str(), 0600), 0);
  std::filesystem::create_directories(folder_.path("full/armature"));
  std::filesystem::create_symlink("/dev/full", folder_.path("full/armature/history"));
  const std::pair<std::string, const char*> cases[] = {{"/dev/null/no/such", "Not a directory"},
                                                       {folder_.path("folder"), "no regular file"},
                                                       {folder_.path("pipe"), "no regular file"},
                                                       {folder_.path("full"), "no regular file"}};
  for (const auto& [state, reason] : cases) {
    Terminal::Start odd = start();
    odd.environment = {{"XDG_STATE_HOME", state}};
    const std::string output = without_history(odd);
    const std::string note = "note: no history is kept: ";
    EXPECT_THAT(output, HasSubstr(note + state + "/armature/history: " + reason));
    EXPECT_EQ(output.find(note), output.rfind(note)) << output;
    EXPECT_THAT(output, Not(HasSubstr("error")));
  }
}

TEST_F(ChatTerminal, HomeOfTheHistoryIsNotMade) {
  Terminal::Start odd = start();
  const std::string home = folder_.path("no/home");
  odd.environment = {{"XDG_STATE_HOME", ""}, {"HOME", home}};
  EXPECT_THAT(without_history(odd), HasSubstr("note: no history is kept: " + home));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("no")));
  std::filesystem::create_directories(home);
  EXPECT_THAT(without_history(odd), Not(HasSubstr("note: no history")));
  EXPECT_TRUE(std::filesystem::exists(home + "/.local/state/armature/history"));
}

TEST_F(ChatTerminal, InterruptStopsTheAnswerAlone) {
  Terminal terminal(start({}, true));
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("go") + kEnter);
  ASSERT_TRUE(terminal.expect("BBB"));
  terminal.type(kControlC);
  ASSERT_TRUE(terminal.expect("> "));
  const Texts texts = messages(terminal);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_THAT(texts[1], testing::StartsWith("BBB")) << "the part that was made stays";
  terminal.type(std::string("again") + kEnter);
  ASSERT_TRUE(terminal.expect("BBB"));
  terminal.type(kControlC);
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(kControlC);
  EXPECT_EQ(terminal.wait(), 130) << "at an empty prompt it leaves";
}

TEST_F(ChatTerminal, InterruptAtALineDropsTheLine) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("one\\") + kEnter);
  ASSERT_TRUE(terminal.expect(". "));
  terminal.type(std::string("two") + kControlC);
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("three") + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  EXPECT_EQ(messages(terminal)[0], "three");
}

TEST_F(ChatTerminal, InterruptsWhereLinesAreNotEdited) {
  Terminal::Start dumb = start();
  dumb.environment.emplace_back("TERM", "dumb");
  Terminal terminal(dumb);
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("one\\") + kEnter);
  ASSERT_TRUE(terminal.expect(". "));
  terminal.type("two");
  ASSERT_TRUE(terminal.expect("two"));
  terminal.type(kControlC);
  ASSERT_TRUE(terminal.expect("\r\n> "));
  terminal.type(std::string("three") + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  EXPECT_EQ(messages(terminal), (Texts{"three", "A"}));
  terminal.type(kControlC);
  ASSERT_TRUE(terminal.expect("\r\n> "));
  terminal.type(kControlC);
  EXPECT_EQ(terminal.wait(), 130) << "the second without a line between";
}

TEST_F(ChatTerminal, EndOfInputWhileAnAnswerIsMade) {
  Terminal terminal(start({}, true));
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("go") + kEnter);
  ASSERT_TRUE(terminal.expect("BBB"));
  terminal.type(kControlD);
  terminal.send(SIGINT);  // as a key Ctrl-C would drop what was typed ahead
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(ChatTerminal, ErrorsBeginOnALineOfTheirOwn) {
  TinyModel broken = table_model(path_table({10, 66, 67}));
  broken.set("tokenizer.chat_template", kTemplate);
  std::vector<float> embeddings(kTableVocab * kTableHidden, 0.0f);
  for (std::size_t i = 0; i < kTableVocab; ++i) embeddings[i * kTableHidden + i] = i == 67 ? NAN : 1.0f;
  broken.set_weights("token_embd.weight", embeddings);
  Terminal terminal({.args = {"chat", "-m", folder_.write("broken.gguf", broken), "-p", "x", "--temp", "0"}});
  EXPECT_TRUE(terminal.expect("BC\r\nerror: "));
  EXPECT_EQ(terminal.wait(), 1);
}

TEST_F(ChatTerminal, InterruptWhileACommandWaitsForAFile) {
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  for (const char* command : {"/load ", "/save "}) {
    terminal.type(command + pipe + kEnter);
    terminal.settle();
    terminal.type(kControlC);
    ASSERT_TRUE(terminal.expect("\r\nerror: interrupted")) << command;
    ASSERT_TRUE(terminal.expect("> ")) << command;
  }
  terminal.type(std::string("x") + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
}

TEST_F(ChatTerminal, ResizeRedrawsTheLine) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  const std::string line = "the quick brown fox jumps over the lazy dog";
  terminal.type(line);
  terminal.resize(10, 20);
  terminal.settle();
  std::vector<std::string> rows = terminal.screen().rows();
  ASSERT_GE(rows.size(), 3u);
  rows.erase(rows.begin(), rows.end() - 3);
  EXPECT_EQ(rows, (std::vector<std::string>{"> the quick brown fo", "x jumps over the laz", "y dog"}));
  terminal.type("s");
  terminal.resize(10, 60);
  terminal.settle();
  EXPECT_EQ(terminal.screen().last_row(), "> " + line + "s");
  terminal.type(std::string(kHome) + "See " + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  EXPECT_EQ(messages(terminal)[0], "See " + line + "s");
}

/// 10 kB of lines, without a newline at the end.
std::string long_text(char between) {
  std::string text;
  for (int i = 0; text.size() < 10000; ++i) text += "line " + std::to_string(i) + between;
  text.pop_back();
  return text;
}

TEST_F(ChatTerminal, BracketedPasteKeepsNewlines) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("\x1b[?2004h"));
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type("[\x1b[200~" + long_text('\r') + "\x1b[201~]" + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  EXPECT_EQ(messages(terminal)[0], "[" + long_text('\n') + "]");
}

TEST_F(ChatTerminal, PasteWithoutBracketsIsFast) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  const auto begin = std::chrono::steady_clock::now();
  terminal.type(long_text(' '));
  terminal.settle();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  // The end of the line is what is seen, on a screen of 24 rows.
  const std::vector<std::string> rows = terminal.screen().rows();
  EXPECT_EQ(rows.back().size(), (long_text(' ').size() + 2) % 80);
  EXPECT_THAT(long_text(' '), testing::EndsWith(rows.back()));
  EXPECT_LT(terminal.output().size(), 300000u) << "not drawn anew for each character";
  terminal.type(kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  EXPECT_EQ(messages(terminal)[0], long_text(' '));
}

TEST_F(ChatTerminal, LinesTypedAheadAreTurns) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type("one\rtwo\rthree\r");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(terminal.expect("A\r\n")) << i;
  ASSERT_TRUE(terminal.expect("> "));
  EXPECT_EQ(messages(terminal), (Texts{"one", "A", "two", "A", "three", "A"}));
}

TEST_F(ChatTerminal, ColourOnlyWhereItIsWanted) {
  constexpr const char* kSgr = "\x1b[1;32m";
  const auto output = [&](Terminal::Start how) {
    Terminal terminal(how);
    EXPECT_TRUE(terminal.expect("> "));
    terminal.type(std::string("x") + kEnter);
    EXPECT_TRUE(terminal.expect("A\r\n"));
    EXPECT_TRUE(terminal.expect("> "));
    terminal.type(kControlD);
    EXPECT_EQ(terminal.wait(), 0);
    return terminal.output();
  };
  EXPECT_THAT(output(start()), HasSubstr(kSgr));
  EXPECT_THAT(output(start({"--color", "off"})), Not(HasSubstr(kSgr)));
  Terminal::Start no_color = start({"--color", "on"});
  no_color.environment.emplace_back("NO_COLOR", "1");
  EXPECT_THAT(output(no_color), Not(HasSubstr(kSgr)));
  Terminal::Start dumb = start();
  dumb.environment.emplace_back("TERM", "dumb");
  EXPECT_THAT(output(dumb), Not(HasSubstr("\x1b"))) << "no sequence at all";
}

TEST_F(ChatTerminal, FirstMessageIsShown) {
  Terminal shown(start({"-st", "-p", "hi there"}));
  EXPECT_TRUE(shown.expect("> hi there\r\nA\r\n"));
  EXPECT_EQ(shown.wait(), 0);
  Terminal hidden(start({"-st", "-p", "hi there", "--no-display-prompt"}));
  EXPECT_EQ(hidden.wait(), 0);
  EXPECT_THAT(hidden.output(), Not(HasSubstr("hi there")));
}

TEST_F(ChatTerminal, RunWithoutAPromptIsAChat) {
  Terminal::Start run = start();
  run.args[0] = "run";
  Terminal terminal(run);
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("x") + kEnter);
  ASSERT_TRUE(terminal.expect("A\r\n"));
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(kControlD);
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(ChatTerminal, IsLeftAsItWasFound) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  terminal.type(std::string("/exit") + kEnter);
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_GT(terminal.output().rfind("\x1b[?2004l"), terminal.output().rfind("\x1b[?2004h"));
}

TEST_F(ChatTerminal, IsLeftAsItWasFoundByASignal) {
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT}) {
    Terminal terminal(start());
    ASSERT_TRUE(terminal.expect("> "));
    EXPECT_FALSE(terminal.is_usual());
    terminal.send(signal);
    EXPECT_EQ(terminal.wait(), -1);
    EXPECT_TRUE(terminal.is_usual()) << signal;
    EXPECT_GT(terminal.output().rfind("\x1b[?2004l"), terminal.output().rfind("\x1b[?2004h")) << signal;
  }
}

TEST_F(ChatTerminal, GoneIsTheEnd) {
  Terminal terminal(start());
  ASSERT_TRUE(terminal.expect("> "));
  terminal.hang_up();
  EXPECT_NE(terminal.wait(), 0);
}

}  // namespace
}  // namespace armature::test
