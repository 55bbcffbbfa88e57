#include "tools/answer/template_source.h"

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt_source.h"

namespace armature::tools {
namespace {

TemplateSource template_of_flag(const std::string& text) {
  if (text.find("{{") == std::string::npos && text.find("{%") == std::string::npos) {
    throw UsageError(
        compose("--chat-template: value {}; allowed: the text of a template, which holds {} or {}",
                quote(text), "{{ ... }}", "{% ... %}"));
  }
  return {text, {}};
}

}  // namespace

std::optional<TemplateSource> template_given(const Arguments& args) {
  if (args.is_given(Option::ChatTemplate))
    return template_of_flag(std::string(args.text(Option::ChatTemplate)));
  if (!args.is_given(Option::ChatTemplateFile)) return std::nullopt;
  const std::string path(args.text(Option::ChatTemplateFile));
  return TemplateSource{read_text_file(path), name_of_input(path)};
}

std::optional<TemplateSource> find_template(const gguf::Metadata& metadata, const Arguments& args) {
  if (auto given = template_given(args)) return given;
  if (const auto text = metadata.find_string("tokenizer.chat_template"))
    return TemplateSource{std::string(*text), metadata.file()};
  return std::nullopt;
}

}  // namespace armature::tools
