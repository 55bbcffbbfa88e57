// `/save` and `/load` of `armature chat`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/tools/chat_support.h"

namespace armature::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class SavedChats : public testing::Test {
 protected:
  void SetUp() override {
    if (program_is_emulated()) GTEST_SKIP() << "tested natively";
  }

  const Chat chat{answering_model()};
  const TempDir folder;
};

TEST_F(SavedChats, GoOnWhereTheyWere) {
  const std::string file = folder.path("chat.json");
  EXPECT_EQ(chat.run("one \"two\"\n/save " + file + "\n", {"-sys", "be brief"}).status, 0);
  std::ifstream saved(file);
  const json content = json::parse(saved);
  EXPECT_EQ(content["format"], "armature chat");
  EXPECT_EQ(content["version"], 1);
  EXPECT_EQ(content["messages"], json::parse(R"([{"role": "system", "content": "be brief"},
      {"role": "user", "content": "one \"two\""}, {"role": "assistant", "content": "A"}])"));
  const auto loaded = chat.turns("/load " + file + "\nthree\n");
  const auto whole = chat.turns("one \"two\"\nthree\n", {"-sys", "be brief"});
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(loaded[0]["n_prompt"], whole[1]["n_prompt"]);
  EXPECT_EQ(loaded[0]["n_cached"], 0);
}

TEST_F(SavedChats, BeyondTheLimitOfFileSizes) {
  Launch launch =
      chat.launch("/save " + folder.path("chat.json") + "\n/exit\n", {"-sys", std::string(5000, 'x')});
  launch.in_child = [] {
    const rlimit limit = {4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 1) << outcome.signal;
  EXPECT_THAT(outcome.err, HasSubstr("chat.json: cannot write (after 4096 bytes): File too large"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("chat.json")));
}

TEST_F(SavedChats, AreCheckedWhenTheyAreRead) {
  const std::string model = R"("model": {"name": "x", "architecture": "llama", "bytes": 1})";
  const std::string head = R"({"format": "armature chat", "version": 1, )" + model + ", ";
  const std::pair<std::string, const char*> cases[] = {
      {"", "line 1, column 1: not JSON"},
      {"{\n  \"a\"!", "line 2, column 6: not JSON"},
      {"{\n\"ä\": \"\xFF\"}", "line 2, column 7: not JSON: value - invalid string: ill-formed UTF-8 byte"},
      {"[1]", "a list; an object is needed"},
      {R"({})", "'format' is missing; a string is needed"},
      {R"({"format": "other"})", "'format' is 'other'; a chat has 'armature chat'"},
      {R"({"format": "armature chat", "version": 2, )" + model + "}", "version 2"},
      {R"({"format": "armature chat", "version": "1"})", "'version' is a string; an integer from 0 on"},
      {R"({"format": "armature chat", "version": 1, "messages": []})", "'model' is missing"},
      {head + R"("messages": 5})", "'messages' is an integer; a list is needed"},
      {head + R"("messages": [7]})", "message 1: an integer; an object is needed"},
      {head + R"("messages": [{"role": "user"}]})", "message 1: 'content' is missing; a string is needed"},
      {head + R"("messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": [1]}]})",
       "message 2: 'content' is a list; a string is needed"},
      {head + R"("messages": [{"role": "user", "content": "", "bytes": [256]}]})", "message 1: 'bytes'"},
      {head + R"("messages": [{"role": "assistant", "content": ""}]})", "'assistant'"},
      {head + R"("messages": [{"role": "user", "content": ""}, {"role": "system", "content": ""}]})",
       "'system'"},
      {head + R"("messages": [{"role": "tool", "content": ""}]})",
       "message 1: 'role' is 'tool', which cannot follow the beginning"},
      {std::string(100000, '['), "nested deeper than 64"},
  };
  for (const auto& [text, problem] : cases) {
    const std::string file = folder.write("chat.json", text);
    const Outcome outcome = chat.run("/load " + file + "\none\n");
    EXPECT_EQ(outcome.status, 1) << problem;
    EXPECT_EQ(outcome.out, "A\n") << problem;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("error: " + file), HasSubstr(problem)));
  }
  EXPECT_THAT(chat.run("/load " + folder.path("missing") + "\n").err, HasSubstr("No such file"));
  EXPECT_THAT(chat.run("/save " + folder.path("no/such/folder") + "\n").err, HasSubstr("error: "));
  const Outcome other = chat.run("/load " + folder.write("x.json", head + R"("messages": []})") + "\none\n");
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_THAT(other.err, HasSubstr("another model, 'x'"));
}

TEST_F(SavedChats, KeepBytesThatAreNotUtf8) {
  const std::string file = folder.path("chat.json"), copy = folder.path("copy.json");
  ASSERT_EQ(chat.run("a\xFF\xE4z\n/save " + file + "\n").status, 0);
  const json message = json::parse(content_of(file))["messages"][0];
  EXPECT_EQ(message["content"], "a\uFFFD\uFFFDz");
  EXPECT_EQ(message["bytes"], (json{97, 255, 228, 122}));
  ASSERT_EQ(chat.run("/load " + file + "\n/save " + copy + "\n").status, 0);
  EXPECT_EQ(content_of(copy), content_of(file));
}

TEST_F(SavedChats, FieldsThatAreLeftOut) {
  const std::string file = folder.write("chat.json", R"({"format": "armature chat", "version": 1,
      "model": {"name": "x", "architecture": "llama", "bytes": 1}, "messages": [
      {"role": "user", "content": "x", "name": "me"},
      {"role": "assistant", "content": "y", "tool_calls": [], "name": "it"}]})");
  const Outcome outcome = chat.run("/load " + file + "\n");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("note: 'name' of its messages is left out"),
                                 HasSubstr("note: 'tool_calls' of its messages is left out")));
}

TEST_F(SavedChats, SystemMessageStaysUnlessTheyHaveOne) {
  const std::string with = folder.path("with.json"), without = folder.path("without.json");
  ASSERT_EQ(chat.run("one\n/save " + without + "\n").status, 0);
  ASSERT_EQ(chat.run("one\n/save " + with + "\n", {"-sys", "old"}).status, 0);
  const std::string out = folder.path("out.json");
  const auto system = [&](const std::string& loaded, const char* line) {
    const Outcome outcome = chat.run("/load " + loaded + "\n/save " + out + "\n", {"-sys", "new"});
    EXPECT_THAT(outcome.err, HasSubstr(line));
    return json::parse(content_of(out))["messages"][0]["content"];
  };
  EXPECT_EQ(system(without, "2 messages are loaded; the system message stays\n"), "new");
  EXPECT_EQ(system(with, "3 messages are loaded; their system message takes the place of the one before\n"),
            "old");
}

TEST_F(SavedChats, ReplaceNoOtherFile) {
  const std::string text = folder.write("notes.txt", "mine"), empty = folder.write("empty", "");
  const std::string saved = folder.path("chat.json");
  const Outcome outcome = chat.run("/save " + text + "\none\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "A\n");
  EXPECT_THAT(outcome.err, HasSubstr("error: " + text + ": this file is no saved chat"));
  EXPECT_EQ(content_of(text), "mine");
  EXPECT_EQ(chat.run("/save " + empty + "\n/save " + saved + "\none\n/save " + saved + "\n").status, 0);
  EXPECT_THAT(content_of(saved), HasSubstr("one"));
  EXPECT_THAT(content_of(empty), HasSubstr("armature chat"));
  EXPECT_EQ(chat.run("/save /dev/null\n").status, 0);
}

// The model in use stays as it is, by whatever name it is called.
TEST(ModelInUse, IsNoPlaceForOutput) {
  if (program_is_emulated()) GTEST_SKIP() << "tested natively";
  const TempDir folder;
  const std::string model = folder.write("model.gguf", answering_model());
  const std::string soft = folder.path("soft"), hard = folder.path("hard");
  std::filesystem::create_symlink(model, soft);
  std::filesystem::create_hard_link(model, hard);
  ASSERT_EQ(::chmod(model.c_str(), 0444), 0);
  const std::string before = content_of(model);
  for (const std::string& name : {model, soft, hard}) {
    const Outcome logits = run_program({"logits", "-m", model, "--ids", "1", "-o", name});
    const Outcome unmapped = run_program({"logits", "-m", model, "--no-mmap", "--ids", "1", "-o", name});
    const Outcome saved = run_program(Launch{.args = {"chat", "-m", model}, .input = "/save " + name + "\n"});
    for (const Outcome& outcome : {logits, unmapped, saved}) {
      EXPECT_EQ(outcome.status, 1);
      EXPECT_THAT(outcome.err, HasSubstr("error: " + name + ": this is the model in use"));
    }
  }
  EXPECT_EQ(content_of(model), before);
  EXPECT_TRUE(std::filesystem::is_symlink(soft));
}

}  // namespace
}  // namespace armature::test
