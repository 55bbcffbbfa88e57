#pragma once

#include <memory>

#include "engine/model.h"
#include "tools/verify/check.h"

namespace armature::tools::verify {

/// What docs/numerics.md promises of a model's logits: the same bits with any number of threads (up to
/// `n_threads` and more than that), in any micro-batches of one regime and whoever rides along; near those of
/// the other regime, and, for models small enough, of the scalar kernels. `reload` gives the same model with
/// kernels for these features. `stop` is asked between two and while passes run.
void check_model(const std::shared_ptr<const Model>& model, std::size_t n_threads,
                 const std::function<std::shared_ptr<const Model>(cpu::Features)>& reload,
                 const std::function<bool()>& stop, const Listener& listener);

}  // namespace armature::tools::verify
