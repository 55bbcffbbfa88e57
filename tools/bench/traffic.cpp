#include "tools/bench/traffic.h"

#include <algorithm>

#include "gguf/types.h"

namespace armature::tools::bench {
namespace {

std::uint64_t bytes_of(const Matrix& matrix) {
  return matrix.n * gguf::row_bytes(matrix.type, matrix.k) + matrix.bias.size() * sizeof(float);
}

}  // namespace

Traffic traffic(const ModelConfig& config, const Weights& weights) {
  Traffic sum;
  sum.weight_bytes =
      gguf::row_bytes(weights.token_embd.type, config.n_embd) + weights.output_norm.size() * sizeof(float);
  for (const LayerWeights& layer : weights.layers) {
    sum.weight_bytes += (layer.attn_norm.size() + layer.ffn_norm.size()) * sizeof(float);
    for (const Matrix* matrix : layer.matrices()) {
      sum.weight_bytes += bytes_of(*matrix);
      sum.layer_products += matrix->n * matrix->k;
    }
  }
  sum.weight_bytes += bytes_of(weights.output);
  sum.output_products = weights.output.n * weights.output.k;
  return sum;
}

std::uint64_t kv_bytes(const ModelConfig& config, const KvCache::Layout& layout, std::size_t position) {
  std::uint64_t bytes = 0;
  for (std::size_t layer = 0; layer < config.n_layer; ++layer) {
    const std::uint64_t window = config.n_swa[layer];
    const std::uint64_t seen = position + 1;
    bytes += (window == 0 ? seen : std::min(seen, window)) * config.n_head_kv[layer] *
             (layout.k_row_bytes + layout.v_row_bytes);
  }
  return bytes;
}

double mean_kv_bytes(const ModelConfig& config, const KvCache::Layout& layout, std::size_t first,
                     std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(kv_bytes(config, layout, first + i));
  return sum / static_cast<double>(n);
}

}  // namespace armature::tools::bench
