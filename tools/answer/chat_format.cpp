#include "tools/answer/chat_format.h"

#include <utility>

#include "engine/chat/end_tokens.h"
#include "gguf/error.h"
#include "tools/answer/fixed_clock.h"
#include "tools/answer/template_source.h"
#include "tools/answer/template_variables.h"

namespace armature::tools {
namespace {

/// An error of a template, with the file that holds it.
Error with_file(const Error& error, const std::string& file) {
  return Error(error.code(), {file, {}, {}}, error.what());
}

}  // namespace

std::optional<ChatFormat> ChatFormat::find(const gguf::Metadata& metadata, const Tokenizer& tokenizer,
                                           const Arguments& args) {
  std::string file;  // for what find_template() says, which has the place already
  try {
    auto source = find_template(metadata, args);
    if (!source) return std::nullopt;
    file = std::move(source->file);
    return ChatFormat(chat::Template::parse(source->text), file, tokenizer, args);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw;
    throw with_file(error, file);
  }
}

ChatFormat::ChatFormat(chat::Template parsed, std::string file, const Tokenizer& tokenizer,
                       const Arguments& args)
    : template_(std::move(parsed)),
      file_(std::move(file)),
      end_tokens_(chat::find_end_tokens(template_, tokenizer)) {
  inputs_.now = fixed_time(args);
  inputs_.variables = template_variables(args);
  chat::set_token_variables(inputs_, tokenizer);
}

chat::Rendered ChatFormat::render(std::span<const chat::Message> messages, bool add_generation_prompt) const {
  chat::RenderInputs inputs = inputs_;
  inputs.messages = messages;
  inputs.add_generation_prompt = add_generation_prompt;
  try {
    return template_.render(inputs);
  } catch (const Error& error) {
    throw with_file(error, file_);
  }
}

}  // namespace armature::tools
