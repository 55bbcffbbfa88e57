#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/model.h"
#include "tools/bench/test.h"
#include "tools/bench/traffic.h"
#include "tools/synth/synth_image.h"

namespace armature::tools::bench {

/// What records say of a model.
struct ModelFacts {
  std::string filename;                   // as given
  std::string name;                       // see model_name.h
  std::uint64_t bytes = 0, n_params = 0;  // of all tensors
  std::string hash;                       // see hash.h
  Traffic traffic;
};

using Seconds = std::chrono::duration<double>;

/// A model in memory, and how long that took.
struct LoadedModel {
  std::unique_ptr<const synth::SynthImage> image;  // what a synthetic model lies in
  std::shared_ptr<const Model> model;
  ModelFacts facts;
  Seconds open{0};                 // map or read the files, check them, bind weights, make the tokenizer
  Seconds page_in{0};              // then touch every page of the weights once
  std::vector<std::string> notes;  // printable lines about a synthetic model
};
/// The model of a test, which is made first if it is a synthetic one. Throws Error as Model::load(), and
/// out_of_memory.
LoadedModel load(const Test& test, const LoadOptions& options);

}  // namespace armature::tools::bench
