#include "tools/answer/prompt.h"

#include <optional>
#include <utility>

#include "engine/chat/template.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt_source.h"

namespace armature::tools {
namespace {

constexpr std::string_view kRawHint = "; --raw completes the prompt without a template";

/// Puts BOS in front if the file asks for it, unless the text has spelled it already.
void add_bos(std::vector<TokenId>& tokens, const Tokenizer& tokenizer) {
  if (!tokenizer.add_bos() || (!tokens.empty() && tokens.front() == tokenizer.bos())) return;
  tokens.insert(tokens.begin(), *tokenizer.bos());
}

struct TemplateSource {
  std::string text;
  std::string file;  // the model that holds it; empty if the user gave it
};

std::optional<TemplateSource> template_given(const Arguments& args) {
  if (args.is_given(Option::ChatTemplateFile))
    return TemplateSource{read_text_file(std::string(args.text(Option::ChatTemplateFile))), {}};
  if (!args.is_given(Option::ChatTemplate)) return std::nullopt;
  const std::string text(args.text(Option::ChatTemplate));
  if (text.find("{{") == std::string::npos && text.find("{%") == std::string::npos) {
    throw UsageError(
        compose("--chat-template: value {}; allowed: the text of a template, which holds {} or {}",
                quote(text), "{{ ... }}", "{% ... %}"));
  }
  return TemplateSource{text, {}};
}

std::optional<TemplateSource> find_template(const Model& model, const Arguments& args) {
  if (auto given = template_given(args)) return given;
  try {
    if (const auto text = model.chat_template()) return TemplateSource{std::string(*text), model.path()};
  } catch (const Error& error) {
    throw Error(error.code(), compose("{}{}", error.what(), kRawHint));
  }
  return std::nullopt;
}

chat::Rendered render_turn(const Tokenizer& tokenizer, const Arguments& args, const std::string& prompt,
                           const TemplateSource& source) {
  std::vector<chat::Message> messages;
  if (args.is_given(Option::System))
    messages.push_back({"system", command_line_text(args, args.text(Option::System))});
  messages.push_back({"user", prompt});
  chat::RenderInputs inputs;
  inputs.messages = messages;
  inputs.add_generation_prompt = true;
  if (const auto bos = tokenizer.bos()) inputs.bos_token = std::string(tokenizer.spelling(*bos));
  if (const auto eos = tokenizer.eos()) inputs.eos_token = std::string(tokenizer.spelling(*eos));
  try {
    return chat::Template::parse(source.text).render(inputs);
  } catch (const Error& error) {
    throw Error(error.code(), {source.file, {}, {}}, compose("{}{}", error.what(), kRawHint));
  }
}

EncodedPrompt encode_turn(const Tokenizer& tokenizer, const Arguments& args, const std::string& prompt,
                          const TemplateSource& source) {
  chat::Rendered turn = render_turn(tokenizer, args, prompt, source);
  EncodeOptions options;
  options.add_special = false;
  options.literal = turn.literal;
  std::vector<TokenId> tokens = tokenizer.encode(turn.text, options);
  return {std::move(turn.text), std::move(tokens), {}};
}

EncodedPrompt encode_raw(const Tokenizer& tokenizer, const Arguments& args, const std::string& prompt) {
  EncodeOptions options;
  options.add_special = false;
  options.parse_special = args.is_on(Option::ParseSpecial);
  EncodedPrompt out{prompt, tokenizer.encode(prompt, options), {}};
  if (args.is_given(Option::System))
    out.notes.push_back("-sys is left out: there is no chat turn to put it in");
  return out;
}

}  // namespace

EncodedPrompt encode_prompt(const Model& model, const Arguments& args, const std::string& prompt) {
  const Tokenizer& tokenizer = model.tokenizer();
  const bool raw = args.is_given(Option::Conversation) && !args.is_on(Option::Conversation);
  const auto source = raw ? std::nullopt : find_template(model, args);
  if (!source && args.is_on(Option::Conversation)) {
    throw Error(
        ErrorCode::bad_template, {model.path(), {}, {}},
        "no chat template in the file; give one with --chat-template, or complete the prompt as it is "
        "with --raw");
  }
  EncodedPrompt out =
      source ? encode_turn(tokenizer, args, prompt, *source) : encode_raw(tokenizer, args, prompt);
  if (!raw && !source) out.notes.push_back("no chat template in the file: the prompt is completed as it is");
  add_bos(out.tokens, tokenizer);
  if (out.tokens.empty() && tokenizer.bos()) out.tokens.push_back(*tokenizer.bos());
  if (out.tokens.empty())
    throw Error(ErrorCode::bad_argument, "empty prompt, and the model has no BOS token to go on from");
  return out;
}

}  // namespace armature::tools
