#pragma once

#include <cstddef>
#include <vector>

#include "engine/config.h"
#include "engine/weights.h"

namespace armature {

/// The angles of RoPE for one model and context size: pair i at position p turns by p * frequency[i], and cos
/// and sin are multiplied by `magnitude`. Immutable.
///
/// Plain: frequency[i] = base^(-2i / n_rot). Linear divides it by the factor; rope_freqs and the longrope
/// factors divide it pair by pair, where there are any; yarn (Peng et al. 2023, arXiv:2309.00071,
/// sections 3.2 to 3.4) blends the plain and the divided frequency by how often the pair turns within the
/// original context.
class Rope {
 public:
  /// n_ctx: the context that is opened. It decides between the short and the long factors of longrope, once
  /// for all positions.
  Rope(const ModelConfig& config, const Weights& weights, std::size_t n_ctx);

  std::size_t n_pairs() const { return frequencies_.size(); }
  /// cos and sin of all pairs at a position, n_pairs() each, computed in double precision.
  void angles(std::size_t position, float* cos, float* sin) const noexcept;

 private:
  std::vector<double> frequencies_;
  double magnitude_ = 1.0;
};

}  // namespace armature
