#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kv_cache.h"
#include "engine/weights.h"

namespace armature::tools::bench {

/// What a token costs: the bytes that must be read for it and the multiplications.
struct Traffic {
  std::uint64_t weight_bytes = 0;  // all matrices, norms and biases once, of the embedding one row
  std::uint64_t layer_products = 0, output_products = 0;  // of the matrices; attention is left out

  /// Of tokens of which n_logits want logits.
  std::uint64_t products(std::size_t n_tokens, std::size_t n_logits) const {
    return n_tokens * layer_products + n_logits * output_products;
  }
};
Traffic traffic(const ModelConfig& config, const Weights& weights);

/// Bytes of keys and values that the token at this position reads, its own included.
std::uint64_t kv_bytes(const ModelConfig& config, const KvCache::Layout& layout, std::size_t position);
/// The mean over n tokens from `first` on; n is not 0.
double mean_kv_bytes(const ModelConfig& config, const KvCache::Layout& layout, std::size_t first,
                     std::size_t n);

}  // namespace armature::tools::bench
