#include "engine/model_check.h"

#include <map>

#include "engine/models/registry.h"
#include "gguf/compose.h"

namespace armature {

namespace {

/// A fault for each type that no kernel takes, for when it is not known what a tensor is for.
void add_types_without_kernels(const gguf::ModelFiles& files, std::vector<Error>& faults) {
  std::map<gguf::TensorType, std::size_t> n_tensors;
  for (const gguf::File& file : files.files()) {
    for (const gguf::TensorInfo& tensor : file.tensors) {
      if (!kernels::supports(tensor.type)) ++n_tensors[tensor.type];
    }
  }
  for (const auto& [type, n] : n_tensors) {
    faults.emplace_back(
        ErrorCode::bad_tensor_type, Place{files.metadata().file(), {}, {}},
        compose("{} of type {}, which is not supported",
                n == 1 ? "a tensor is" : compose("{} tensors are", n), gguf::type_info(type).name));
  }
}

}  // namespace

void check_vocabulary(const gguf::Metadata& metadata, const ModelConfig& config, const Tokenizer& tokenizer) {
  if (tokenizer.n_vocab() == config.n_vocab) return;
  throw metadata.error(
      ErrorCode::bad_vocab, "tokenizer.ggml.tokens",
      compose("{} tokens, but the vocabulary size is {}", tokenizer.n_vocab(), config.n_vocab));
}

std::vector<std::string> warnings_about(const gguf::ModelFiles& files, const Weights* weights,
                                        const Tokenizer* tokenizer) {
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& file, std::string_view line) {
    warnings.push_back(compose("{}: {}", quote(file), line));
  };
  for (const gguf::File& file : files.files()) {
    for (const std::string& line : file.warnings) warn(file.name(), line);
  }
  const std::string& first = files.metadata().file();
  if (tokenizer != nullptr) {
    for (const std::string& line : tokenizer->warnings()) warn(first, line);
  }
  if (const std::size_t n = weights != nullptr ? weights->n_unused : 0; n > 0) {
    warn(first, compose("{} {} not used by this architecture", n, n == 1 ? "tensor is" : "tensors are"));
  }
  return warnings;
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
  if (files.n_tensors() == 0) {
    check.faults.emplace_back(ErrorCode::missing_tensor, Place{metadata.file(), {}, {}},
                              "no tensors; a file with a vocabulary alone serves the tokenizer only");
  } else if (check.config) {
    check.weights = check_weights(files, *check.config, features, check.faults);
  } else {
    add_types_without_kernels(files, check.faults);
  }
  attempt([&] { check.tokenizer = Tokenizer::from(metadata); });
  if (check.config && check.tokenizer)
    attempt([&] { check_vocabulary(metadata, *check.config, *check.tokenizer); });
  return check;
}

}  // namespace armature
