#include "tests/support/vocabularies.h"

#include <array>
#include <cstdio>
#include <span>
#include <utility>

namespace armature::test {

namespace {

constexpr std::int32_t kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6;

std::string mapped(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += byte_level_char(static_cast<std::uint8_t>(c));
  return text;
}

void add_token(TestVocabulary& vocabulary, std::string text, std::int32_t type) {
  vocabulary.tokens.push_back(std::move(text));
  vocabulary.types.push_back(type);
}

void add_scored(TestVocabulary& vocabulary, std::string text, std::int32_t type, float score) {
  add_token(vocabulary, std::move(text), type);
  vocabulary.scores.push_back(score);
}

}  // namespace

std::string byte_level_char(std::uint8_t byte) {
  const auto is_moved = [](unsigned b) { return b < 33 || (b > 126 && b < 161) || b == 173; };
  unsigned code_point = byte;
  if (is_moved(byte)) {
    code_point = 0x100;
    for (unsigned b = 0; b < byte; ++b) code_point += is_moved(b) ? 1 : 0;
  }
  if (code_point < 0x80) return std::string(1, static_cast<char>(code_point));
  return {static_cast<char>(0xC0 | (code_point >> 6)), static_cast<char>(0x80 | (code_point & 0x3F))};
}

TestVocabulary byte_level_vocabulary(std::string_view pre) {
  constexpr std::pair<std::string_view, std::string_view> kMerges[] = {
      {"\n", "\n"},     {" ", " "},       {"3", "3"},       {"33", "3"},      {"333", "3"},
      {" ", "3"},       {"h", "e"},       {"l", "l"},       {"he", "ll"},     {"hell", "o"},
      {" ", "hello"},   {"'", "r"},       {"'r", "e"},      {"'", "R"},       {"'R", "E"},
      {"\xF0", "\x9F"}, {"\xA6", "\x99"}, {"\xE6", "\xAD"}, {"\xC3", "\xA9"},
  };
  TestVocabulary vocabulary;
  vocabulary.model = "gpt2";
  vocabulary.pre = pre;
  for (unsigned byte = 0; byte < 256; ++byte) {
    add_token(vocabulary, byte_level_char(static_cast<std::uint8_t>(byte)), kNormal);
  }
  for (const auto& [left, right] : kMerges) {
    add_token(vocabulary, mapped(left) + mapped(right), kNormal);
    vocabulary.merges.push_back(mapped(left) + " " + mapped(right));
  }
  add_token(vocabulary, "<bos>", kControl);
  add_token(vocabulary, "<eos>", kControl);
  add_token(vocabulary, "<eot>", kControl);
  add_token(vocabulary, "<tag>", kUserDefined);
  add_token(vocabulary, "<im>", kControl);
  vocabulary.bos = 275;
  vocabulary.eos = 276;
  vocabulary.eot = 277;
  return vocabulary;
}

TestVocabulary spm_vocabulary(bool add_space_prefix) {
  constexpr std::pair<const char*, float> kPieces[] = {
      {"▁", -2000},   {"▁▁", -1000}, {"▁▁▁▁", -1001}, {"He", -1},   {"ll", -2},   {"Hell", -3}, {"Hello", -4},
      {"▁Hello", -5}, {"▁G", -6},    {"G", -2001},    {"H", -2002}, {"e", -2003}, {"l", -2004}, {"o", -2005},
      {".", -2006},   {"1", -2007},  {"/", -2008},    {"2", -2009}, {"½", -2010},
  };
  TestVocabulary vocabulary;
  vocabulary.model = "llama";
  vocabulary.add_space_prefix = add_space_prefix;
  add_scored(vocabulary, "<unk>", kUnknown, 0);
  add_scored(vocabulary, "<s>", kControl, 0);
  add_scored(vocabulary, "</s>", kControl, 0);
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::array<char, 7> text{};
    std::snprintf(text.data(), text.size(), "<0x%02X>", byte);
    add_scored(vocabulary, text.data(), kByte, 0);
  }
  for (const auto& [text, score] : kPieces) add_scored(vocabulary, text, kNormal, score);
  add_scored(vocabulary, "<unused0>", kUnused, 0);
  add_scored(vocabulary, "<unused1>", kUnused, 0);
  vocabulary.unknown = 0;
  vocabulary.bos = 1;
  vocabulary.eos = 2;
  return vocabulary;
}

void add_vocabulary(gguf::Writer& writer, const TestVocabulary& vocabulary) {
  const auto add_id = [&](std::string_view key, std::optional<std::uint32_t> id) {
    if (id) writer.add(key, *id);
  };
  const auto add_flag = [&](std::string_view key, std::optional<bool> flag) {
    if (flag) writer.add(key, *flag);
  };
  writer.add("tokenizer.ggml.model", vocabulary.model);
  if (!vocabulary.pre.empty()) writer.add("tokenizer.ggml.pre", vocabulary.pre);
  writer.add("tokenizer.ggml.tokens", std::span<const std::string>(vocabulary.tokens));
  writer.add("tokenizer.ggml.token_type", std::span<const std::int32_t>(vocabulary.types));
  if (!vocabulary.scores.empty()) {
    writer.add("tokenizer.ggml.scores", std::span<const float>(vocabulary.scores));
  }
  if (!vocabulary.merges.empty()) {
    writer.add("tokenizer.ggml.merges", std::span<const std::string>(vocabulary.merges));
  }
  add_id("tokenizer.ggml.bos_token_id", vocabulary.bos);
  add_id("tokenizer.ggml.eos_token_id", vocabulary.eos);
  add_id("tokenizer.ggml.eot_token_id", vocabulary.eot);
  add_id("tokenizer.ggml.unknown_token_id", vocabulary.unknown);
  add_flag("tokenizer.ggml.add_bos_token", vocabulary.add_bos);
  add_flag("tokenizer.ggml.add_space_prefix", vocabulary.add_space_prefix);
}

}  // namespace armature::test
