#include "engine/model.h"

#include <algorithm>
#include <map>

#include "engine/model_check.h"
#include "engine/models/registry.h"
#include "gguf/compose.h"
#include "gguf/value.h"

namespace armature {

namespace {

/// Whether the file names a window that its own context is wider than.
bool names_window(const gguf::Metadata& metadata, const std::string& key, std::uint64_t n_ctx_train) {
  const gguf::KeyValue* found = metadata.find(key);
  if (found == nullptr) return false;
  if (found->type == gguf::ValueType::Array) return true;
  const gguf::Scalar value = gguf::Value::of(*found).scalar();
  const auto* width = std::get_if<std::uint64_t>(&value);
  return width != nullptr && *width > 0 && *width < n_ctx_train;
}

}  // namespace

std::shared_ptr<const Model> Model::load(const std::string& path, const LoadOptions& options) {
  return std::shared_ptr<const Model>(new Model(gguf::ModelFiles::open(path, options.access), options));
}

std::shared_ptr<const Model> Model::load(std::span<const std::byte> bytes, std::string_view name,
                                         const LoadOptions& options) {
  return std::shared_ptr<const Model>(new Model(gguf::ModelFiles::from_memory(bytes, name), options));
}

Model::Model(gguf::ModelFiles files, const LoadOptions& options)
    : files_(std::move(files)), features_(options.features) {
  warnings_ = files_.replace_keys(options.overrides);
  config_ = find_architecture(metadata()).read_config(metadata());
  weights_ = bind_weights(files_, config_, features_);
  tokenizer_ = Tokenizer::from(metadata());
  check_vocabulary(metadata(), config_, *tokenizer_);
  const std::vector<std::string> odd = warnings_about(files_, &weights_, tokenizer_.get());
  warnings_.insert(warnings_.end(), odd.begin(), odd.end());
  if (options.lock) {
    const std::vector<std::string> refused = files_.lock();
    warnings_.insert(warnings_.end(), refused.begin(), refused.end());
  }
  files_.check_unchanged();
}

std::optional<std::string_view> Model::chat_template() const {
  return metadata().find_string("tokenizer.chat_template");
}

std::string_view Model::type_name() const {
  std::map<gguf::TensorType, std::uint64_t> bytes;
  for (const gguf::File& file : files_.files()) {
    for (const gguf::TensorInfo& t : file.tensors) bytes[t.type] += t.size;
  }
  const auto most = std::max_element(bytes.begin(), bytes.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return gguf::type_info(most->first).name;
}

std::vector<std::string> Model::notes() const {
  std::vector<std::string> lines;
  const std::string window_key = config_.architecture + ".attention.sliding_window";
  std::map<std::uint32_t, std::size_t> layers_with;  // each window
  for (const std::uint32_t window : config_.n_swa) ++layers_with[window];
  for (const auto& [window, n] : layers_with) {
    if (window == 0) continue;
    lines.push_back(compose("sliding window: {} of {} layers see the last {} positions only ({})", n,
                            config_.n_layer, window, window_key));
  }
  if (layers_with.size() == 1 && layers_with.contains(0) &&
      names_window(metadata(), window_key, config_.n_ctx_train)) {
    lines.push_back(compose("{} is not applied: layers of architecture \"{}\" see all positions", window_key,
                            config_.architecture));
  }
  if (!weights_.rope_factors_short.empty()) {
    lines.push_back(
        compose("RoPE: short factors for a context of up to {} positions, long ones for a larger one",
                config_.rope_scaling.n_ctx_original));
  }
  return lines;
}

}  // namespace armature
