#pragma once

#include <optional>
#include <string>

#include "gguf/metadata.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// The text of a chat template and where it is from.
struct TemplateSource {
  std::string text;
  std::string file;  // the model that holds it; empty if the user gave it
};

/// The template of --chat-template, else of --chat-template-file, else of the model. Throws UsageError; Error
/// io, and wrong_key_type for a model whose template is no string.
std::optional<TemplateSource> find_template(const gguf::Metadata& metadata, const Arguments& args);

}  // namespace armature::tools
