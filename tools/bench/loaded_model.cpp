#include "tools/bench/loaded_model.h"

#include <optional>

#include "tools/bench/hash.h"
#include "tools/bench/model_name.h"
#include "tools/builtin/builtin.h"
#include "tools/setup.h"

namespace armature::tools::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Reads a byte of every page of the tensors.
void touch_weights(const gguf::ModelFiles& files) {
  constexpr std::uint64_t kPage = 4096;  // the smallest that there is
  for (const gguf::File& file : files.files()) {
    for (const gguf::TensorInfo& tensor : file.tensors) {
      const volatile std::byte* data = tensor.data;
      for (std::uint64_t at = 0; at < tensor.size; at += kPage) static_cast<void>(data[at]);
    }
  }
}

ModelFacts facts_of(const Model& model, const Test& test) {
  ModelFacts facts;
  facts.filename = test.model.empty() ? std::string(kBuiltinName) : test.model;
  facts.name = model_name(model.config(), model.files());
  for (const gguf::File& file : model.files().files()) {
    for (const gguf::TensorInfo& tensor : file.tensors) {
      facts.bytes += tensor.size;
      facts.n_params += tensor.rows() * tensor.cols();
    }
  }
  facts.hash = model_hash(model.files());
  facts.traffic = traffic(model.config(), model.weights());
  return facts;
}

}  // namespace

LoadedModel load(const Test& test, const LoadOptions& options) {
  LoadedModel loaded;
  const auto path = test.model.empty() ? std::nullopt : std::optional(test.model);
  const auto start = SteadyClock::now();
  loaded.model = load_model(path, options);
  const auto opened = SteadyClock::now();
  touch_weights(loaded.model->files());
  loaded.open = opened - start;
  loaded.page_in = SteadyClock::now() - opened;
  loaded.facts = facts_of(*loaded.model, test);
  return loaded;
}

}  // namespace armature::tools::bench
