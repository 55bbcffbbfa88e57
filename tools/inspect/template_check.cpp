#include "tools/inspect/template_check.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "engine/chat/end_tokens.h"
#include "engine/chat/template.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/columns.h"

namespace armature::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kKey = "tokenizer.chat_template";

bool names_a_template(std::string_view key) {
  return key == kKey || (key.starts_with(kKey) && key[kKey.size()] == '.');
}

void count_tokens(TemplateCheck& check, const chat::Rendered& rendered, const Tokenizer& tokenizer) {
  const auto ids = tokenizer.encode(
      rendered.text, {.add_special = false, .parse_special = true, .literal = rendered.literal});
  check.n_tokens = ids.size();
  for (const TokenId id : ids) {
    const TokenType type = tokenizer.type(id);
    if (type == TokenType::control || type == TokenType::user_defined) ++check.n_control;
  }
}

void render(TemplateCheck& check, std::string_view source, const Tokenizer* tokenizer) {
  const chat::Message messages[] = {
      {"user", "Hello!"}, {"assistant", "Hi. How can I help?"}, {"user", "Thanks, I am fine."}};
  chat::RenderInputs inputs;
  inputs.messages = messages;
  inputs.add_generation_prompt = true;
  if (tokenizer != nullptr) chat::set_token_variables(inputs, *tokenizer);
  const auto parsed = chat::Template::parse(source);
  const chat::Rendered rendered = parsed.render(inputs);
  check.rendered = rendered.text;
  if (tokenizer == nullptr) return;
  count_tokens(check, rendered, *tokenizer);
  for (const TokenId id : chat::find_end_tokens(parsed, *tokenizer))
    check.turns.emplace_back(tokenizer->spelling(id));
}

}  // namespace

std::vector<TemplateCheck> check_templates(const gguf::Metadata& metadata, const Tokenizer* tokenizer) {
  std::vector<TemplateCheck> checks;
  for (const gguf::KeyValue& kv : metadata.keys()) {
    if (!names_a_template(kv.key)) continue;
    TemplateCheck& check = checks.emplace_back();
    check.key = kv.key;
    try {
      const std::string_view source = metadata.require_string(kv.key);
      check.bytes = source.size();
      render(check, source, tokenizer);
    } catch (const Error& error) {
      check.error = error.what();
    }
  }
  return checks;
}

nlohmann::ordered_json to_json(const std::vector<TemplateCheck>& checks) {
  Json json = Json::array();
  for (const TemplateCheck& c : checks) {
    json.push_back({{"key", c.key},
                    {"bytes", c.bytes},
                    {"error", c.error.empty() ? Json(nullptr) : Json(c.error)},
                    {"rendered", c.error.empty() ? Json(c.rendered) : Json(nullptr)},
                    {"tokens", c.n_tokens},
                    {"control_tokens", c.n_control},
                    {"turns_end_with", c.turns}});
  }
  return json;
}

std::string to_text(const std::vector<TemplateCheck>& checks, std::size_t indent) {
  Columns columns("ll");
  for (const TemplateCheck& c : checks) {
    columns.add({c.key, compose("{} bytes", c.bytes)});
    if (!c.error.empty()) {
      columns.add({"", c.error});
      continue;
    }
    columns.add({"", compose("a conversation of three turns becomes {} tokens, {} of them control tokens",
                             c.n_tokens, c.n_control)});
    columns.add({"", quote(c.rendered, 400)});
    std::string ends;
    for (const std::string& spelling : c.turns)
      ends += compose("{}{}", ends.empty() ? "answers end with " : " or ", quote(spelling));
    if (!ends.empty()) columns.add({"", ends});
  }
  return columns.text(indent);
}

}  // namespace armature::tools
