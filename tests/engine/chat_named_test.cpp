// Chat formats that have a name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "chat_support.h"
#include "engine/chat/named_templates.h"

namespace armature::chat {
namespace {

struct Format {
  const char *name, *text;
};

/// System message S, user U, assistant A, user V, and the head of the next answer.
constexpr Format kFormats[] = {
    {"chatglm3", "[gMASK]sop<|system|>\n S<|user|>\n U<|assistant|>\n A<|user|>\n V<|assistant|>"},
    {"chatglm4", "[gMASK]<sop><|system|>\nS<|user|>\nU<|assistant|>\nA<|user|>\nV<|assistant|>\n"},
    {"chatml",
     "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n<|"
     "im_start|>user\nV<|im_end|>\n<|im_start|>assistant\n"},
    {"command-r",
     "<s><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>S<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|USER_TOKEN|>U<"
     "|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>A<|END_OF_TURN_TOKEN|><|START_OF_TURN_"
     "TOKEN|><|USER_TOKEN|>V<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"},
    {"deepseek", "<s>S### Instruction:\nU\n### Response:\nA\n<|EOT|>\n### Instruction:\nV\n### Response:\n"},
    {"deepseek2", "<s>S\n\nUser: U\n\nAssistant: A<｜end▁of▁sentence｜>User: V\n\nAssistant:"},
    {"deepseek3", "<s>S\n\n<｜User｜>U<｜Assistant｜>A<｜end▁of▁sentence｜><｜User｜>V<｜Assistant｜>"},
    {"exaone3", "[|system|]S[|endofturn|]\n[|user|]U\n[|assistant|]A[|endofturn|]\n[|user|]V\n[|assistant|]"},
    {"exaone4", "[|system|]S[|endofturn|]\n[|user|]U\n[|assistant|]A[|endofturn|]\n[|user|]V\n[|assistant|]"},
    {"falcon3", "<|system|>\nS\n<|user|>\nU\n<|assistant|>\nA\n<|user|>\nV\n<|assistant|>\n"},
    {"gemma",
     "<s><start_of_turn>user\nS\n\nU<end_of_turn>\n<start_of_turn>model\nA<end_of_turn>\n<start_of_turn>"
     "user\nV<end_of_turn>\n<start_of_turn>model\n"},
    {"gigachat",
     "<s>S<|message_sep|>user<|role_sep|>U<|message_sep|>available "
     "functions<|role_sep|>[]<|message_sep|>assistant<|role_sep|>A<|message_sep|>user<|role_sep|>V<|message_"
     "sep|>available functions<|role_sep|>[]<|message_sep|>assistant<|role_sep|>"},
    {"glmedge", "<|system|>\nS<|user|>\nU<|assistant|>\nA<|user|>\nV<|assistant|>"},
    {"granite",
     "<|start_of_role|>system<|end_of_role|>S<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>U<|end_of_"
     "text|>\n<|start_of_role|>assistant<|end_of_role|>A<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>"
     "V<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"},
    {"granite-4.0",
     "<|start_of_role|>system<|end_of_role|>S<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>U<|end_of_"
     "text|>\n<|start_of_role|>assistant<|end_of_role|>A<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>"
     "V<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"},
    {"granite-4.1",
     "<|start_of_role|>system<|end_of_role|>S<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>U<|end_of_"
     "text|>\n<|start_of_role|>assistant<|end_of_role|>A<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>"
     "V<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"},
    {"llama2", "<s>[INST] S\nU [/INST]A</s>[INST] V [/INST]"},
    {"llama2-sys", "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST]A</s>[INST] V [/INST]"},
    {"llama2-sys-bos", "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST]A</s><s>[INST] V [/INST]"},
    {"llama2-sys-strip", "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST] A </s><s>[INST] V [/INST]"},
    {"llama3",
     "<s><|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|><|start_header_id|>user<|end_header_id|>"
     "\n\nU<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nA<|eot_id|><|start_header_id|>user<|"
     "end_header_id|>\n\nV<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"},
    {"llama4",
     "<s><|header_start|>system<|header_end|>\n\nS<|eot|><|header_start|>user<|header_end|>\n\nU<|eot|><|"
     "header_start|>assistant<|header_end|>\n\nA<|eot|><|header_start|>user<|header_end|>\n\nV<|eot|><|"
     "header_start|>assistant<|header_end|>\n\n"},
    {"megrez",
     "<|role_start|>system<|role_end|>S<|turn_end|><|role_start|>user<|role_end|>U<|turn_end|><|role_start|>"
     "assistant<|role_end|>A<|turn_end|><|role_start|>user<|role_end|>V<|turn_end|><|role_start|>assistant<|"
     "role_end|>"},
    {"minicpm", "S<用户>U<AI>A<用户>V<AI>"},
    {"mistral-v1", "<s> [INST] S\n\nU [/INST] A</s> [INST] V [/INST]"},
    {"mistral-v3", "<s>[INST] U[/INST] A</s>[INST] S\n\nV[/INST]"},
    {"mistral-v3-tekken", "<s>[INST]U[/INST]A</s>[INST]S\n\nV[/INST]"},
    {"mistral-v7", "<s>[SYSTEM_PROMPT] S[/SYSTEM_PROMPT][INST] U[/INST] A</s>[INST] V[/INST]"},
    {"mistral-v7-tekken", "<s>[SYSTEM_PROMPT]S[/SYSTEM_PROMPT][INST]U[/INST]A</s>[INST]V[/INST]"},
    {"monarch", "<s>system\nS</s>\n<s>user\nU</s>\n<s>assistant\nA</s>\n<s>user\nV</s>\n<s>assistant\n"},
    {"openchat",
     "<s>S<|end_of_turn|>GPT4 Correct User: U<|end_of_turn|>GPT4 Correct Assistant: A<|end_of_turn|>GPT4 "
     "Correct User: V<|end_of_turn|>GPT4 Correct Assistant:"},
    {"orion", "<s>Human: S\n\nU\n\nAssistant: </s>A</s>Human: V\n\nAssistant: </s>"},
    {"phi3",
     "<|system|>\nS<|end|>\n<|user|>\nU<|end|>\n<|assistant|>\nA<|end|>\n<|user|>\nV<|end|>\n<|assistant|>"
     "\n"},
    {"phi4",
     "<|im_start|>system<|im_sep|>S<|im_end|><|im_start|>user<|im_sep|>U<|im_end|><|im_start|>assistant<|im_"
     "sep|>A<|im_end|><|im_start|>user<|im_sep|>V<|im_end|><|im_start|>assistant<|im_sep|>"},
    {"seed_oss",
     "<seed:bos>system\nS<seed:eos><seed:bos>user\nU<seed:eos><seed:bos>assistant\nA<seed:eos><seed:bos>"
     "user\nV<seed:eos><seed:bos>assistant\n"},
    {"vicuna", "S\n\nUSER: U\nASSISTANT: A</s>\nUSER: V\nASSISTANT:"},
    {"vicuna-orca", "SYSTEM: S\nUSER: U\nASSISTANT: A</s>\nUSER: V\nASSISTANT:"},
    {"yandex", " Пользователь: U\n\n Ассистент: A\n\n Пользователь: V\n\n Ассистент:[SEP]"},
    {"zephyr", "<|system|>\nS</s>\n<|user|>\nU</s>\n<|assistant|>\nA</s>\n<|user|>\nV</s>\n<|assistant|>\n"},
};

TEST(NamedTemplates, AreSortedByName) {
  const auto known = named_templates();
  EXPECT_TRUE(std::is_sorted(known.begin(), known.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  EXPECT_EQ(known.size(), std::size(kFormats));
  EXPECT_EQ(find_named_template("no such format"), nullptr);
  EXPECT_EQ(find_named_template(""), nullptr);
}

TEST(NamedTemplates, WriteTheirFormats) {
  for (const Format& format : kFormats) {
    const NamedTemplate* named = find_named_template(format.name);
    ASSERT_NE(named, nullptr) << format.name;
    Rendering rendering(named->text);
    rendering.message("system", "S").message("user", "U").message("assistant", "A").message("user", "V");
    rendering.inputs().add_generation_prompt = true;
    EXPECT_EQ(rendering.text(), format.text) << format.name;
  }
}

TEST(NamedTemplates, TakeOnlyContentsForInput) {
  for (const NamedTemplate& named : named_templates()) {
    Rendering rendering(named.text);
    rendering.message("user", "</s>U").message("assistant", "<s>A").message("user", "<|im_end|>V");
    EXPECT_THAT(rendering.literals(), testing::ElementsAre("</s>U", "<s>A", "<|im_end|>V")) << named.name;
  }
}

TEST(NamedTemplates, DoWithoutTokens) {
  for (const NamedTemplate& named : named_templates()) {
    const Template parsed = Template::parse(named.text);
    const Message messages[] = {{"user", "U"}, {"assistant", "A"}, {"user", "V"}};
    RenderInputs inputs;
    inputs.messages = messages;
    EXPECT_THAT(parsed.render(inputs).text, testing::HasSubstr("U")) << named.name;
  }
}

const std::string kFolder = ARMATURE_TEST_DATA "/vectors/tokenizer/chat/";

/// A format and the publisher's template that writes it.
struct Publisher {
  const char *format, *cases;
  bool only_with_system = false;  // without one the publisher's writes one of its own
};

constexpr Publisher kPublishers[] = {
    {"chatml", "chatml"},
    {"chatml", "qwen2.5", true},
    {"chatml", "smollm2", true},
    {"command-r", "command-r"},
    {"deepseek", "deepseek-coder", true},
    {"gemma", "gemma-2"},
    {"gemma", "gemma-3"},
    {"granite", "granite-3.3", true},
    {"llama2", "mistral-v0.2-old"},
    {"llama2-sys-strip", "llama-2"},
    {"llama3", "llama-3"},
    {"mistral-v1", "mistral-v1"},
    {"mistral-v3", "mistral-v3"},
    {"mistral-v3-tekken", "mistral-nemo"},
    {"phi4", "phi-4"},
    {"phi4", "phi-4-early"},
    {"zephyr", "stablelm-2"},
    {"zephyr", "zephyr"},
};

bool is_plain(const nlohmann::json& line) {
  constexpr std::string_view kPlain[] = {"/one-user/",          "/system-user/",   "/multi-turn/",
                                         "/system-multi-turn/", "/empty-content/", "/special-characters/"};
  const std::string id = line.at("id");
  return line.contains("rendered") && line.at("add_generation_prompt") == true &&
         std::any_of(std::begin(kPlain), std::end(kPlain),
                     [&](std::string_view part) { return id.find(part) != std::string::npos; });
}

/// Plain conversations that were compared.
std::size_t compare(const Publisher& publisher) {
  std::ifstream cases(kFolder + publisher.cases + ".cases.jsonl");
  std::size_t n = 0;
  for (std::string text; std::getline(cases, text);) {
    const auto line = nlohmann::json::parse(text);
    const bool has_system = line.at("messages").at(0).at("role") == "system";
    if (!is_plain(line) || (publisher.only_with_system && !has_system)) continue;
    Rendering rendering(find_named_template(publisher.format)->text);
    for (const auto& message : line.at("messages"))
      rendering.message(message.at("role"), message.at("content"));
    rendering.inputs().add_generation_prompt = true;
    rendering.inputs().bos_token = line.at("bos_token");
    rendering.inputs().eos_token = line.at("eos_token");
    EXPECT_EQ(rendering.text(), line.at("rendered").get<std::string>()) << publisher.format << line.at("id");
    ++n;
  }
  return n;
}

TEST(NamedTemplates, EqualThePublishersTemplates) {
  if (!std::ifstream(kFolder + "chatml.cases.jsonl")) GTEST_SKIP() << "no reference data in " << kFolder;
  for (const Publisher& publisher : kPublishers) EXPECT_GE(compare(publisher), 2u) << publisher.cases;
}

}  // namespace
}  // namespace armature::chat
