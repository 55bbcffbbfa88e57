#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/config.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/weights.h"
#include "gguf/model_files.h"

namespace armature {

/// Throws Error bad_vocab unless the vocabulary has the size that the configuration says.
void check_vocabulary(const gguf::Metadata& metadata, const ModelConfig& config, const Tokenizer& tokenizer);

/// Printable lines about what is tolerated. `weights` and `tokenizer` may be null.
std::vector<std::string> warnings_about(const gguf::ModelFiles& files, const Weights* weights,
                                        const Tokenizer* tokenizer);

/// What of a model can be used, and all that keeps Model::load() from using the whole.
struct ModelCheck {
  std::optional<ModelConfig> config;  // nothing where the architecture or its keys are at fault
  std::optional<Weights> weights;     // as check_weights() leaves them; only with a config and any tensors
  std::unique_ptr<const Tokenizer> tokenizer;  // null where the vocabulary is at fault
  std::vector<Error> faults;  // of the keys, then the tensors, then the vocabulary; empty: the model loads
};

/// Looks at everything but the weights' values; one fault hides only what cannot be known without what it
/// spoils. The files must outlive the result.
ModelCheck check_model(const gguf::ModelFiles& files, cpu::Features features);

}  // namespace armature
