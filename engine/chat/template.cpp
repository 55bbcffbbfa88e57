#include "engine/chat/template.h"

#include <algorithm>
#include <array>

#include "engine/chat/ast.h"
#include "engine/chat/context.h"
#include "engine/chat/evaluator.h"
#include "engine/chat/parser.h"
#include "engine/chat/source.h"

namespace armature::chat {
namespace {

/// Control tokens are often put together from a role, as in '<|' + message.role + '|>'. Only the roles that
/// no input can choose freely may become part of one.
Value role_value(std::string_view role) {
  constexpr std::array<std::string_view, 5> kUsual = {"system", "user", "assistant", "tool", "developer"};
  const bool usual = std::find(kUsual.begin(), kUsual.end(), role) != kUsual.end();
  return Value(Text(role, usual ? Text::Origin::written : Text::Origin::input));
}

Value written(std::string_view text) { return Value(Text(text, Text::Origin::written)); }

Value message_list(std::span<const Message> messages) {
  std::vector<Value> items;
  items.reserve(messages.size());
  for (const Message& message : messages) {
    items.push_back(Value::dict(
        {{written("role"), role_value(message.role)}, {written("content"), Value::string(message.content)}}));
  }
  return Value::list(std::move(items));
}

std::shared_ptr<Scope> global_scope(const RenderInputs& inputs) {
  auto scope = std::make_shared<Scope>();
  for (const auto& [name, value] : inputs.variables) scope->variables.emplace(name, value);
  // emplace() keeps what is there.
  scope->variables.emplace("messages", message_list(inputs.messages));
  scope->variables.emplace("tools", Value::none());
  scope->variables.emplace("documents", Value::none());
  if (inputs.add_generation_prompt)
    scope->variables.emplace("add_generation_prompt", Value(*inputs.add_generation_prompt));
  if (inputs.bos_token) scope->variables.emplace("bos_token", written(*inputs.bos_token));
  if (inputs.eos_token) scope->variables.emplace("eos_token", written(*inputs.eos_token));
  return scope;
}

}  // namespace

struct Template::Parsed {
  Source source;
  ast::Block block;  // refers to the source
};

Template Template::parse(std::string_view source, std::string_view name) {
  auto parsed = std::make_shared<Parsed>();
  parsed->source = read_source(source, name);
  parsed->block = parse_template(parsed->source);
  return Template(std::move(parsed));
}

Rendered Template::render(const RenderInputs& inputs) const {
  Context context(parsed_->source, inputs);
  Evaluator evaluator(context, global_scope(inputs));
  const Text text = evaluator.render(parsed_->block);
  return {text.bytes(), text.input()};
}

}  // namespace armature::chat
