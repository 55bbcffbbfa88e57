#include "tools/answer/template_variables.h"

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/json_value.h"

namespace armature::tools {
namespace {

/// The value of --chat-template-kwargs, a dict.
chat::Value parse_variables(const Arguments& args) {
  const std::string_view name = args.name_of(Option::TemplateVariables);
  try {
    chat::Value value = parse_json_value(args.text(Option::TemplateVariables), {});
    if (!value.as_dict()) throw UsageError(compose("{}: {}; a JSON object is needed", name, value.kind()));
    if (value.as_dict()->find("messages") != nullptr)
      throw UsageError(compose("{}: 'messages' are those of the chat", name));
    return value;
  } catch (const Error& error) {
    throw UsageError(compose("{}: {}", name, error.what()));
  }
}

}  // namespace

std::map<std::string, chat::Value, std::less<>> template_variables(const Arguments& args) {
  std::map<std::string, chat::Value, std::less<>> variables;
  const auto add_given = [&] {
    if (!args.is_given(Option::TemplateVariables)) return;
    const chat::Value given = parse_variables(args);
    for (const auto& [key, value] : given.as_dict()->entries())
      variables.insert_or_assign(std::string(key.as_text()->bytes()), value);
  };
  const bool from_environment = args.is_from_environment(Option::TemplateVariables);
  if (from_environment) add_given();
  if (const std::string_view thinking = args.text(Option::Thinking); thinking != "auto")
    variables.insert_or_assign("enable_thinking", chat::Value(thinking == "on"));
  if (args.text(Option::ThinkingBudget) == "0")
    variables.insert_or_assign("enable_thinking", chat::Value(false));
  if (const std::string_view effort = args.text(Option::ThinkingEffort); effort != "default")
    variables.insert_or_assign("reasoning_effort", chat::Value::string(effort));
  if (!from_environment) add_given();
  return variables;
}

}  // namespace armature::tools
