#include "engine/chat/end_tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gguf/error.h"

namespace armature::chat {
namespace {

constexpr std::string_view kAnswer = "armature-answer";
/// Enough for any spelling of a token and the white space in front.
constexpr std::size_t kTailBytes = 1024;

/// What follows the answer in a conversation of a question, the answer and, if `asked_again`, another
/// question. Empty where the template fails or leaves the answer out.
std::string text_behind_answer(const Template& parsed, const Tokenizer& tokenizer, bool asked_again) {
  const std::array<Message, 3> messages = {
      {{"user", "Hello"}, {"assistant", std::string(kAnswer)}, {"user", "Thanks"}}};
  RenderInputs inputs;
  inputs.messages = std::span(messages).first(asked_again ? 3 : 2);
  inputs.add_generation_prompt = false;
  set_token_variables(inputs, tokenizer);
  try {
    const std::string text = parsed.render(inputs).text;
    const std::size_t answer = text.rfind(kAnswer);
    return answer == std::string::npos ? "" : text.substr(answer + kAnswer.size(), kTailBytes);
  } catch (const Error&) {
    return "";
  }
}

/// The control or user-defined token that the text begins with, after white space; of several the longest, as
/// the tokenizer takes it.
std::optional<TokenId> first_special(std::string_view text, const Tokenizer& tokenizer) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  std::optional<TokenId> first;
  std::size_t length = 0;
  for (std::size_t i = 0; i < tokenizer.n_vocab(); ++i) {
    const auto token = static_cast<TokenId>(i);
    const TokenType type = tokenizer.type(token);
    if (type != TokenType::control && type != TokenType::user_defined) continue;
    const std::string_view spelling = tokenizer.spelling(token);
    if (spelling.size() <= length || !text.starts_with(spelling)) continue;
    first = token;
    length = spelling.size();
  }
  return first;
}

}  // namespace

void set_token_variables(RenderInputs& inputs, const Tokenizer& tokenizer) {
  if (const auto bos = tokenizer.bos()) inputs.bos_token = std::string(tokenizer.spelling(*bos));
  if (const auto eos = tokenizer.eos()) inputs.eos_token = std::string(tokenizer.spelling(*eos));
}

std::vector<TokenId> find_end_tokens(const Template& parsed, const Tokenizer& tokenizer) {
  // Some templates end a turn only when another one follows.
  for (const bool asked_again : {false, true}) {
    if (const auto token = first_special(text_behind_answer(parsed, tokenizer, asked_again), tokenizer))
      return {*token};
  }
  return {};
}

}  // namespace armature::chat
