#include "engine/model_check.h"

#include "engine/models/registry.h"
#include "gguf/compose.h"

namespace armature {

void check_vocabulary(const gguf::Metadata& metadata, const ModelConfig& config, const Tokenizer& tokenizer) {
  if (tokenizer.n_vocab() == config.n_vocab) return;
  throw metadata.error(
      ErrorCode::bad_vocab, "tokenizer.ggml.tokens",
      compose("{} tokens, but the vocabulary size is {}", tokenizer.n_vocab(), config.n_vocab));
}

ModelCheck check_model(const gguf::ModelFiles& files, cpu::Features features) {
  ModelCheck check;
  const gguf::Metadata& metadata = files.metadata();
  const auto attempt = [&](const auto& step) {
    try {
      step();
    } catch (const Error& error) {
      check.faults.push_back(error);
    }
  };
  attempt([&] { check.config = find_architecture(metadata).read_config(metadata); });
  if (check.config) check.weights = check_weights(files, *check.config, features, check.faults);
  attempt([&] { check.tokenizer = Tokenizer::from(metadata); });
  if (check.config && check.tokenizer)
    attempt([&] { check_vocabulary(metadata, *check.config, *check.tokenizer); });
  return check;
}

}  // namespace armature
