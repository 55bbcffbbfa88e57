#include "tools/chat/transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/engine/tokenizer_support.h"
#include "tests/support/program.h"

namespace armature::tools {
namespace {

using chat::Message;
using test::Ids;
using test::OwnedTokenizer;
using test::to_ints;
using test::to_tokens;

constexpr const char* kTemplate =
    "{% for m in messages %}<im>{{ m.role }}\n{{ m.content }}<eot>\n{% endfor %}"
    "{% if add_generation_prompt %}<im>assistant\n{% endif %}";

chat::Rendered render(std::string_view source, const std::vector<Message>& messages,
                      bool add_generation_prompt = true) {
  chat::RenderInputs inputs;
  inputs.messages = messages;
  inputs.add_generation_prompt = add_generation_prompt;
  inputs.bos_token = "<s>";
  inputs.eos_token = "</s>";
  return chat::Template::parse(source).render(inputs);
}

OwnedTokenizer byte_level(bool add_bos = false) {
  test::TestVocabulary vocabulary = test::byte_level_vocabulary("llama-bpe");
  vocabulary.add_bos = add_bos;
  return test::make_tokenizer(vocabulary);
}

/// Tokens that two transcripts have in common from the front.
std::size_t n_common(const Transcript& a, const Transcript& b) {
  const auto ends = std::mismatch(a.tokens().begin(), a.tokens().end(), b.tokens().begin(), b.tokens().end());
  return static_cast<std::size_t>(ends.first - a.tokens().begin());
}

/// What stands in `transcript` behind its first n tokens.
Ids behind(const Transcript& transcript, std::size_t n) { return to_ints(transcript.tokens().subspan(n)); }

TEST(Transcript, FirstTurnIsTheEncodedText) {
  for (const bool add_bos : {false, true}) {
    const OwnedTokenizer tokenizer = byte_level(add_bos);
    const auto turn = render(kTemplate, {{"user", "hello"}});
    const Transcript transcript = Transcript(*tokenizer).with(turn);
    Ids expected = test::ids_of(*tokenizer, turn.text);
    if (add_bos) expected.insert(expected.begin(), 275);
    EXPECT_EQ(to_ints(transcript.tokens()), expected);
  }
}

TEST(Transcript, KeepsTheTokensThatTheModelMade) {
  const OwnedTokenizer tokenizer = byte_level(true);
  const Transcript first = Transcript(*tokenizer).with(render(kTemplate, {{"user", "hello"}}));
  Transcript answered = first;
  answered.append_answer(to_tokens({104, 101, 277}), "he", StopReason::Eos);
  const Transcript next =
      answered.with(render(kTemplate, {{"user", "hello"}, {"assistant", "he"}, {"user", "x"}}));
  EXPECT_EQ(n_common(answered, next), answered.tokens().size()) << "h and e, not the one token he";
  EXPECT_EQ(behind(next, answered.tokens().size()),
            test::ids_of(*tokenizer, "\n<im>user\nx<eot>\n<im>assistant\n"));
}

TEST(Transcript, OfTheSameTextIsTheSame) {
  const OwnedTokenizer tokenizer = byte_level();
  const auto turn = render(kTemplate, {{"user", "hello"}});
  const Transcript first = Transcript(*tokenizer).with(turn);
  Transcript answered = first;
  answered.append_answer(to_tokens({104, 277}), "h", StopReason::Eos);
  EXPECT_EQ(to_ints(answered.with(turn).tokens()), to_ints(first.tokens()));
}

TEST(Transcript, OfAnAnswerThatDidNotEnd) {
  const OwnedTokenizer tokenizer = byte_level();
  Transcript answered = Transcript(*tokenizer).with(render(kTemplate, {{"user", "x"}}));
  answered.append_answer(to_tokens({104, 101}), "he", StopReason::Length);
  const Transcript next =
      answered.with(render(kTemplate, {{"user", "x"}, {"assistant", "he"}, {"user", "y"}}));
  EXPECT_EQ(n_common(answered, next), answered.tokens().size());
  EXPECT_EQ(behind(next, answered.tokens().size()).front(), 277) << "the end of the turn is the template's";
}

TEST(Transcript, OfAnAnswerThatAStopStringCut) {
  const OwnedTokenizer tokenizer = byte_level();
  Transcript answered = Transcript(*tokenizer).with(render(kTemplate, {{"user", "x"}}));
  const std::size_t n = answered.tokens().size();
  answered.append_answer(to_tokens({65, 266, 33}), "A h", StopReason::Stop);
  EXPECT_EQ(behind(answered, n), (Ids{65})) << "' hello' has more than was shown";
  const Transcript next =
      answered.with(render(kTemplate, {{"user", "x"}, {"assistant", "A h"}, {"user", "y"}}));
  EXPECT_EQ(to_ints(next.tokens().subspan(n, 4)), (Ids{65, 32, 104, 277}));
}

TEST(Transcript, WhereTheTemplateChangesTheAnswer) {
  const OwnedTokenizer tokenizer = byte_level();
  const std::string trims =
      "{% for m in messages %}<im>{{ m.role }}\n{{ m.content | trim }}<eot>\n{% endfor %}"
      "{% if add_generation_prompt %}<im>assistant\n{% endif %}";
  Transcript answered = Transcript(*tokenizer).with(render(trims, {{"user", "x"}}));
  const std::size_t n = answered.tokens().size();
  answered.append_answer(to_tokens({104, 101, 32, 277}), "he ", StopReason::Eos);
  const auto rendered = render(trims, {{"user", "x"}, {"assistant", "he "}, {"user", "y"}});
  EXPECT_EQ(behind(answered.with(rendered), n).front(), 262) << "encoded anew from the answer on";
  EXPECT_EQ(to_ints(answered.with(rendered).tokens()), test::ids_of(*tokenizer, rendered.text));
}

TEST(Transcript, WhereTheTemplateDropsEarlierThoughts) {
  const OwnedTokenizer tokenizer = byte_level();
  const std::string thinks =
      "{% for m in messages %}<im>{{ m.role }}\n{{ m.content.split('</t>')[-1] }}<eot>\n{% endfor %}"
      "{% if add_generation_prompt %}<im>assistant\n<t>{% endif %}";
  Transcript answered = Transcript(*tokenizer).with(render(thinks, {{"user", "x"}}));
  const std::string made = "why</t>he";
  answered.append_answer(tokenizer->encode(made, {.add_special = false}), made, StopReason::Length);
  const auto rendered = render(thinks, {{"user", "x"}, {"assistant", made}, {"user", "y"}});
  EXPECT_EQ(to_ints(answered.with(rendered).tokens()), test::ids_of(*tokenizer, rendered.text));
}

TEST(Transcript, LiteralTextIsNotTakenForTheTemplates) {
  const OwnedTokenizer tokenizer = byte_level();
  // What the template wrote, and what a user wrote who spells the same.
  const Transcript first =
      Transcript(*tokenizer).with(render("<eot>{{ messages[0].content }}", {{"user", "x"}}));
  const auto same_text = render("{{ messages[0].content }}", {{"user", "<eot>x"}});
  ASSERT_EQ(first.text(), same_text.text);
  EXPECT_EQ(to_ints(first.tokens()), (Ids{277, 120}));
  EXPECT_EQ(to_ints(first.with(same_text).tokens()), (Ids{60, 101, 111, 116, 62, 120}));
}

TEST(Transcript, SpacePrefixOnlyWhereTextBegins) {
  const OwnedTokenizer tokenizer = test::make_tokenizer(test::spm_vocabulary(true));
  const std::string source =
      "{% for m in messages %}{% if m.role == 'user' %}<s>{{ m.content }}{% else %}{{ ' ' + m.content + ' "
      "</s>' }}"
      "{% endif %}{% endfor %}";
  Transcript answered = Transcript(*tokenizer).with(render(source, {{"user", "Hello"}}));
  EXPECT_EQ(to_ints(answered.tokens()), (Ids{1, 266}));
  answered.append_answer(to_tokens({266, 2}), " Hello", StopReason::Eos);
  const auto rendered = render(source, {{"user", "Hello"}, {"assistant", "Hello"}, {"user", "Hello"}});
  EXPECT_EQ(rendered.text, "<s>Hello Hello </s><s>Hello");
  EXPECT_EQ(to_ints(answered.with(rendered).tokens()), (Ids{1, 266, 266, 259, 2, 1, 266}));
}

std::vector<std::byte> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

struct Known {
  const char* vocabulary;
  const char* chat_template;
  const char* answer_prefix;  // as such models begin
};

class KnownTemplates : public testing::TestWithParam<Known> {};

// Answers in the tokens that encoding gives: then keeping them must make no difference.
TEST_P(KnownTemplates, TurnByTurnIsAsAllAtOnce) {
  if (test::program_is_emulated()) GTEST_SKIP() << "tested natively";
  const std::string folder = ARMATURE_TEST_DATA "/vectors/tokenizer/";
  const std::string vocabulary = folder + GetParam().vocabulary + ".gguf";
  if (!std::filesystem::exists(vocabulary)) GTEST_SKIP() << "no reference data";
  const OwnedTokenizer tokenizer(read_bytes(vocabulary));
  const auto bytes = read_bytes(folder + "chat/templates/" + GetParam().chat_template + ".jinja");
  const std::string_view source(reinterpret_cast<const char*>(bytes.data()), bytes.size());

  std::vector<Message> messages;
  Transcript transcript(*tokenizer);
  for (const char* said :
       {"Hello, who are you?", "2 + 2 = ?\nThink.", "Pip's <|end|> 🦊 ünïcödé", "bye"}) {
    messages.push_back({"user", said});
    const auto rendered = render(source, messages);
    const std::size_t n_before = transcript.tokens().size();
    const Transcript next = transcript.with(rendered);
    EXPECT_GE(n_common(transcript, next) + 1, n_before) << "all but, perhaps, the end of the answer";
    EXPECT_EQ(to_ints(next.tokens()), to_ints(Transcript(*tokenizer).with(rendered).tokens()))
        << rendered.text;
    transcript = next;

    chat::Rendered made;
    made.text = std::string(GetParam().answer_prefix) + "I heard: " + said;
    made.literal = {{0, made.text.size()}};
    transcript.append_answer(encode_part(*tokenizer, made, {0, made.text.size()}, true), made.text,
                             StopReason::Length);
    messages.push_back({"assistant", made.text});
  }
}

INSTANTIATE_TEST_SUITE_P(Transcript, KnownTemplates,
                         testing::Values(Known{"llama-3", "llama-3", ""}, Known{"llama-3", "llama-3.1", ""},
                                         Known{"qwen3", "qwen3", ""}, Known{"qwen3", "qwen2.5", ""},
                                         Known{"phi-4", "phi-4", ""}, Known{"phi-3", "phi-3", " "},
                                         Known{"llama-2", "llama-2", " "}, Known{"llama-2", "zephyr", ""}));

}  // namespace
}  // namespace armature::tools
