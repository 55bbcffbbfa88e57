#include "tools/answer/template_source.h"

#include "engine/chat/named_templates.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt_source.h"

namespace armature::tools {
namespace {

bool is_template(std::string_view text) {
  return text.find("{{") != std::string_view::npos || text.find("{%") != std::string_view::npos;
}

/// --chat-template takes a template or the name of one.
TemplateSource template_of_flag(const Arguments& args) {
  const std::string_view value = args.text(Option::ChatTemplate);
  if (is_template(value)) return {std::string(value), {}};
  if (const chat::NamedTemplate* named = chat::find_named_template(value))
    return {std::string(named->text), {}};
  std::string names;
  for (const chat::NamedTemplate& named : chat::named_templates()) names += compose("{}, ", named.name);
  throw UsageError(compose("{}: value {}; allowed: {}or the text of a template, which holds {} or {}",
                           args.name_of(Option::ChatTemplate), quote(value), names, "{{ ... }}",
                           "{% ... %}"));
}

}  // namespace

std::optional<TemplateSource> template_given(const Arguments& args) {
  if (args.is_given(Option::ChatTemplate)) return template_of_flag(args);
  if (!args.is_given(Option::ChatTemplateFile)) return std::nullopt;
  const std::string path(args.text(Option::ChatTemplateFile));
  return TemplateSource{read_text_file(path), name_of_input(path)};
}

std::optional<TemplateSource> find_template(const gguf::Metadata& metadata, const Arguments& args) {
  if (auto given = template_given(args)) return given;
  const auto text = metadata.find_string("tokenizer.chat_template");
  if (!text || text->empty()) return std::nullopt;
  return TemplateSource{std::string(*text), metadata.file()};
}

}  // namespace armature::tools
