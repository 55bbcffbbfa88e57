#pragma once

#include <string>

#include "engine/config.h"
#include "gguf/model_files.h"

namespace armature::tools::bench {

/// The model in the words of llama-bench's column "model": architecture, size class, kind of quantization,
/// e.g. "llama 8B Q4_K - Medium". The size class is llama.cpp's, which goes by the number of layers: "?B"
/// where it knows none. A file that does not name its kind has that of most of its tensors, "(guessed)".
std::string model_name(const ModelConfig& config, const gguf::ModelFiles& files);

}  // namespace armature::tools::bench
