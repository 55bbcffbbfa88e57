#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/weights.h"
#include "gguf/model_files.h"
#include "gguf/override.h"

namespace armature {

struct LoadOptions {
  gguf::Access access = gguf::Access::Map;
  bool lock = false;                         // lock the weights in memory (mlock); a refusal is a warning
  cpu::Features features = cpu::detect();    // kernels are chosen among these
  std::vector<gguf::KeyOverride> overrides;  // values of keys in place of the file's
};

/// A model: its file, checked; its hyperparameters; its tokenizer; its weights bound to kernels. Immutable,
/// shared by any number of decoders and threads.
class Model {
 public:
  /// Throws Error: any of ModelFiles::open, the architecture's keys, the tensors, the vocabulary.
  static std::shared_ptr<const Model> load(const std::string& path, const LoadOptions& options = {});
  /// From bytes that the caller keeps alive and unchanged. `name` stands for the file in errors.
  static std::shared_ptr<const Model> load(std::span<const std::byte> bytes, std::string_view name,
                                           const LoadOptions& options = {});

  const std::string& path() const { return files_.metadata().file(); }
  const gguf::ModelFiles& files() const { return files_; }
  const gguf::Metadata& metadata() const { return files_.metadata(); }
  const ModelConfig& config() const { return config_; }
  const Weights& weights() const { return weights_; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  cpu::Features features() const { return features_; }

  /// tokenizer.chat_template; throws Error wrong_key_type when it is no string.
  std::optional<std::string_view> chat_template() const;
  /// The weight type that holds most bytes, e.g. "Q4_1".
  std::string_view type_name() const;
  std::uint64_t bytes() const { return files_.total_bytes(); }
  /// Printable lines about what was tolerated.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Printable lines about choices that other engines may make otherwise: a sliding window, longrope's
  /// factors.
  std::vector<std::string> notes() const;

 private:
  Model(gguf::ModelFiles files, const LoadOptions& options);

  gguf::ModelFiles files_;
  ModelConfig config_;
  std::unique_ptr<const Tokenizer> tokenizer_;
  Weights weights_;
  cpu::Features features_;
  std::vector<std::string> warnings_;
};

}  // namespace armature
