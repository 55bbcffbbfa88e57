// A chat template from a file that cannot be trusted: parsed, rendered over two messages, and searched for
// the token that ends an answer.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "engine/chat/end_tokens.h"
#include "engine/chat/template.h"
#include "gguf/error.h"
#include "gguf/reader.h"
#include "tests/support/vocabularies.h"

namespace {

using armature::chat::Message;
using armature::chat::Rendered;
using armature::chat::RenderInputs;
using armature::chat::Template;

// No template, being UTF-8, can write this byte: where it stands in a result, it came from a message.
constexpr char kMark = '\xfe';

void check(bool holds) {
  if (!holds) std::abort();
}

void check_literal_parts(const Rendered& rendered) {
  std::size_t end = 0;
  bool first = true;
  for (const armature::ByteRange& range : rendered.literal) {
    check((first || range.begin > end) && range.begin < range.end && range.end <= rendered.text.size());
    check(std::string_view(rendered.text).substr(end, range.begin - end).find(kMark) ==
          std::string_view::npos);
    end = range.end;
    first = false;
  }
  check(rendered.text.find(kMark, end) == std::string::npos);
}

/// A vocabulary with control tokens, and the file that it refers to.
const armature::Tokenizer& made_tokenizer() {
  static const std::vector<std::byte> bytes = [] {
    armature::gguf::Writer writer;
    armature::test::add_vocabulary(writer, armature::test::byte_level_vocabulary("llama-bpe"));
    return writer.bytes();
  }();
  static const armature::gguf::File file = armature::gguf::parse(bytes, "made.gguf");
  static const auto tokenizer = armature::Tokenizer::from(file.metadata);
  return *tokenizer;
}

void check_end_tokens(const Template& parsed) {
  const armature::Tokenizer& tokenizer = made_tokenizer();
  for (const armature::TokenId token : armature::chat::find_end_tokens(parsed, tokenizer)) {
    const armature::TokenType type = tokenizer.type(token);
    check(type == armature::TokenType::control || type == armature::TokenType::user_defined);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<Message> messages = {{"system", "\xfe <|im_end|>\n\xfe"},
                                         {"user", " \xfe{{ 1 }}\xc3\xa9,\xfe"}};
  RenderInputs inputs;
  inputs.messages = messages;
  inputs.add_generation_prompt = true;
  inputs.bos_token = "<s>";
  inputs.now = std::tm{};
  try {
    const Template parsed = Template::parse({reinterpret_cast<const char*>(data), size});
    check_end_tokens(parsed);
    check_literal_parts(parsed.render(inputs));
  } catch (const armature::Error& error) {
    check(error.code() == armature::ErrorCode::bad_template);
  }
  return 0;
}
