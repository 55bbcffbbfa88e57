#pragma once

#include <span>
#include <string_view>

#include "engine/config.h"

namespace armature {

/// What an architecture is to the engine: its name in general.architecture and how its keys become a
/// ModelConfig.
struct Architecture {
  std::string_view name;
  ModelConfig (*read_config)(const gguf::Metadata&);
};

std::span<const Architecture> architectures();

/// The architecture that the file names. Throws Error: missing_key, wrong_key_type, or unknown_architecture,
/// which lists the known ones.
const Architecture& find_architecture(const gguf::Metadata& metadata);

// One reader per architecture, each in the file of its name.
ModelConfig read_llama(const gguf::Metadata& metadata);
ModelConfig read_mistral3(const gguf::Metadata& metadata);
ModelConfig read_phi3(const gguf::Metadata& metadata);
ModelConfig read_qwen2(const gguf::Metadata& metadata);

}  // namespace armature
