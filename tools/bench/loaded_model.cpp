#include "tools/bench/loaded_model.h"

#include <optional>

#include "gguf/compose.h"
#include "tools/bench/hash.h"
#include "tools/bench/model_name.h"
#include "tools/cli/progress.h"
#include "tools/setup.h"
#include "tools/synth/synth_model.h"

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

ModelFacts facts_of(const Model& model) {
  ModelFacts facts;
  facts.filename = model.path();
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

void make_image(const std::string& choice, LoadedModel& loaded) {
  const synth::SynthModel model(synth::parse_choice(choice));
  const Progress progress(compose("making {}", model.name()));
  loaded.image = std::make_unique<synth::SynthImage>(model);
  loaded.notes = model.notes();
}

std::shared_ptr<const Model> open_model(const ModelChoice& choice, const synth::SynthImage* image,
                                        const LoadOptions& options) {
  if (image != nullptr) return Model::load(image->bytes(), image->name(), options);
  const bool is_file = choice.kind == ModelChoice::Kind::File;
  return load_model(is_file ? std::optional(choice.text) : std::nullopt, options);
}

}  // namespace

LoadedModel load(const Test& test, const LoadOptions& options) {
  LoadedModel loaded;
  if (test.model.kind == ModelChoice::Kind::Synthetic) make_image(test.model.text, loaded);
  const auto start = SteadyClock::now();
  loaded.model = open_model(test.model, loaded.image.get(), options);
  const auto opened = SteadyClock::now();
  touch_weights(loaded.model->files());
  loaded.open = opened - start;
  loaded.page_in = SteadyClock::now() - opened;
  loaded.facts = facts_of(*loaded.model);
  return loaded;
}

}  // namespace armature::tools::bench
