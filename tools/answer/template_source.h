#pragma once

#include <optional>
#include <string>

#include "gguf/metadata.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// The text of a chat template and where it is from.
struct TemplateSource {
  std::string text;
  std::string file;  // that holds it; empty if it was on the command line
};

/// The template of --chat-template, else of --chat-template-file. Throws UsageError; Error io.
std::optional<TemplateSource> template_given(const Arguments& args);
/// That, else the template of the model, unless it is empty. Throws also Error wrong_key_type for a model
/// whose template is no string.
std::optional<TemplateSource> find_template(const gguf::Metadata& metadata, const Arguments& args);

}  // namespace armature::tools
