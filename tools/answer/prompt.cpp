#include "tools/answer/prompt.h"

#include <optional>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/chat_format.h"
#include "tools/answer/normaliser.h"
#include "tools/answer/prompt_source.h"

namespace armature::tools {
namespace {

EncodedPrompt encode_turn(const Tokenizer& tokenizer, const Arguments& args, const std::string& prompt,
                          Normaliser& normaliser, const ChatFormat& format) {
  std::vector<chat::Message> messages;
  if (auto system = system_message(args))
    messages.push_back({"system", normaliser.apply(std::move(*system))});
  messages.push_back({"user", prompt});
  chat::Rendered turn = format.render(messages, true);
  EncodeOptions options;
  options.add_special = false;
  options.literal = turn.literal;
  EncodeLosses losses;
  std::vector<TokenId> tokens = tokenizer.encode(turn.text, options, losses);
  const auto ends = format.end_tokens();
  return {std::move(turn.text), std::move(tokens), {ends.begin(), ends.end()}, notes_of(losses)};
}

EncodedPrompt encode_raw(const Tokenizer& tokenizer, const Arguments& args, const std::string& prompt) {
  EncodeOptions options;
  options.add_special = false;
  options.parse_special = args.is_on(Option::ParseSpecial);
  EncodeLosses losses;
  EncodedPrompt out{prompt, tokenizer.encode(prompt, options, losses), {}, notes_of(losses)};
  for (const Option option :
       {Option::System, Option::SystemFile, Option::ChatTemplate, Option::ChatTemplateFile}) {
    if (args.is_given(option) && !args.is_from_environment(option))
      out.notes.push_back(compose("{} is left out: there is no chat turn", args.name_of(option)));
  }
  return out;
}

/// The prompt as a turn of the chat template that is given or in the file; nothing without one. Throws as
/// ChatFormat.
std::optional<EncodedPrompt> encode_by_template(const Model& model, const Arguments& args,
                                                const std::string& prompt, Normaliser& normaliser) try {
  const auto format = ChatFormat::find(model.metadata(), model.tokenizer(), args);
  if (!format) return std::nullopt;
  return encode_turn(model.tokenizer(), args, prompt, normaliser, *format);
} catch (const Error& error) {
  if (error.code() != ErrorCode::bad_template && error.code() != ErrorCode::wrong_key_type) throw;
  throw Error(error.code(), compose("{}; --raw completes the prompt without a template", error.what()));
}

}  // namespace

void add_bos(std::vector<TokenId>& tokens, const Tokenizer& tokenizer) {
  if (!tokenizer.add_bos() || (!tokens.empty() && tokens.front() == tokenizer.bos())) return;
  tokens.insert(tokens.begin(), *tokenizer.bos());
}

std::vector<std::string> notes_of(const EncodeLosses& losses) {
  std::vector<std::string> notes;
  if (losses.n_replaced > 0) {
    notes.push_back(
        compose("{} bytes that are not UTF-8 became U+FFFD: the vocabulary does not have all of them",
                losses.n_replaced));
  }
  if (losses.n_unknown > 0) {
    notes.push_back(compose("the unknown token stands for {} bytes, which the vocabulary does not have",
                            losses.n_unknown));
  }
  return notes;
}

EncodedPrompt encode_prompt(const Model& model, const Arguments& args, const std::string& given) {
  const Tokenizer& tokenizer = model.tokenizer();
  Normaliser normaliser(args, tokenizer);
  const std::string prompt = normaliser.apply(given);
  const bool raw = args.is_given(Option::Conversation) && !args.is_on(Option::Conversation);
  auto turn = raw ? std::nullopt : encode_by_template(model, args, prompt, normaliser);
  if (!turn && args.is_on(Option::Conversation)) {
    throw Error(
        ErrorCode::bad_template, {model.path(), {}, {}},
        "no chat template in the file; give one with --chat-template, or complete the prompt as it is "
        "with --raw");
  }
  EncodedPrompt out = turn ? *std::move(turn) : encode_raw(tokenizer, args, prompt);
  if (!raw && !turn) out.notes.push_back("no chat template in the file: the prompt is completed as it is");
  add_bos(out.tokens, tokenizer);
  if (out.tokens.empty() && tokenizer.bos()) out.tokens.push_back(*tokenizer.bos());
  if (out.tokens.empty())
    throw Error(ErrorCode::bad_argument, "empty prompt, and the model has no BOS token to go on from");
  return out;
}

}  // namespace armature::tools
