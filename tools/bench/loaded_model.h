#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/model.h"
#include "tools/bench/test.h"
#include "tools/bench/traffic.h"

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
  std::shared_ptr<const Model> model;
  ModelFacts facts;
  Seconds open{0};     // map or read the files, check them, bind weights, make the tokenizer
  Seconds page_in{0};  // then touch every page of the weights once
};
/// The model of a test. Throws Error as Model::load().
LoadedModel load(const Test& test, const LoadOptions& options);

}  // namespace armature::tools::bench
