// The templates of known models against what the reference implementation of the language makes of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "chat_support.h"

namespace armature::chat {
namespace {

using nlohmann::json;

const std::string kFolder = ARMATURE_TEST_DATA "/vectors/tokenizer/chat/";

std::vector<json> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::tm fixed_time() {  // Thursday, 2026-01-15 10:30:00, the clock of the cases
  std::tm time{};
  time.tm_year = 126;
  time.tm_mday = 15;
  time.tm_hour = 10;
  time.tm_min = 30;
  time.tm_wday = 4;
  time.tm_yday = 14;
  return time;
}

std::optional<std::string> token_of(const json& line, const char* name) {
  const std::string token = line.at(name);
  return token.empty() ? std::nullopt : std::optional(token);
}

void check_case(const Template& parsed, const json& line) {
  SCOPED_TRACE(line.at("id").get<std::string>());
  std::vector<Message> messages;
  for (const json& message : line.at("messages"))
    messages.push_back({message.at("role"), message.at("content")});
  RenderInputs inputs;
  inputs.messages = messages;
  inputs.add_generation_prompt = line.at("add_generation_prompt");
  inputs.bos_token = token_of(line, "bos_token");
  inputs.eos_token = token_of(line, "eos_token");
  inputs.now = fixed_time();
  if (line.contains("rendered")) {
    EXPECT_EQ(parsed.render(inputs).text, line.at("rendered").get<std::string>());
    return;
  }
  try {
    parsed.render(inputs);
    ADD_FAILURE() << "no error, expected " << line.at("message");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_template);
    EXPECT_THAT(error.what(), testing::HasSubstr(line.at("message").get<std::string>()));
  }
}

class KnownTemplate : public testing::TestWithParam<const char*> {};

TEST_P(KnownTemplate, RendersLikeTheReference) {
  const std::string name = GetParam();
  const std::string source = read_file(kFolder + "templates/" + name + ".jinja");
  if (source.empty()) GTEST_SKIP() << "no reference data in " << kFolder;
  const Template parsed = Template::parse(source, name);
  const std::vector<json> lines = read_lines(kFolder + name + ".cases.jsonl");
  EXPECT_EQ(lines.size(), 26u);
  for (const json& line : lines) check_case(parsed, line);
}

INSTANTIATE_TEST_SUITE_P(Chat, KnownTemplate,
                         testing::Values("chatml", "command-r", "deepseek-coder", "deepseek-r1-distill",
                                         "gemma-2", "gemma-3", "granite-3.3", "llama-2", "llama-3",
                                         "llama-3.1", "llama-3.2", "mistral-nemo", "mistral-v0.2-old",
                                         "mistral-v1", "mistral-v3", "olmo-2", "phi-3", "phi-3.5", "phi-4",
                                         "phi-4-early", "qwen2.5", "qwen3", "qwen3.5", "smollm2", "smollm3",
                                         "stablelm-2", "zephyr"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST(ChatModels, SmolLM2ContentsAreTheOnlyLiteralParts) {
  const std::string source = read_file(kFolder + "templates/smollm2.jinja");
  const std::vector<json> lines = read_lines(ARMATURE_TEST_DATA "/models/smollm2-chat.cases.jsonl");
  if (source.empty() || lines.empty()) GTEST_SKIP() << "no reference data";
  for (const json& line : lines) {
    Rendering rendering(source);
    rendering.inputs().add_generation_prompt = true;
    std::vector<std::string> contents;
    for (const json& message : line.at("messages")) {
      rendering.message(message.at("role"), message.at("content"));
      contents.push_back(message.at("content"));
    }
    EXPECT_EQ(rendering.text(), line.at("text").get<std::string>()) << line.at("name");
    EXPECT_EQ(rendering.literals(), contents) << line.at("name");
  }
}

}  // namespace
}  // namespace armature::chat
