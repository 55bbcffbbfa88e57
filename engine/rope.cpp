#include "engine/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace armature {

namespace {

/// The (fractional) pair that turns `turns` times within the original context.
double pair_with_turns(double turns, const ModelConfig& c) {
  const double n_ctx = static_cast<double>(c.rope_scaling.n_ctx_original);
  return static_cast<double>(c.n_rot) * std::log(n_ctx / (2 * std::numbers::pi * turns)) /
         (2 * std::log(c.rope_base));
}

/// Yarn: pairs that turn often keep their frequency, slow ones are stretched by the factor, those between are
/// blended.
void apply_yarn(const ModelConfig& c, std::vector<double>& frequencies) {
  const RopeScaling& s = c.rope_scaling;
  const double low = std::max(0.0, std::floor(pair_with_turns(s.beta_fast, c)));
  const double high = std::min(static_cast<double>(c.n_rot) - 1, std::ceil(pair_with_turns(s.beta_slow, c)));
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double ramp = (static_cast<double>(i) - low) / std::max(0.001, high - low);
    const double keep = 1 - std::clamp(ramp, 0.0, 1.0);
    frequencies[i] *= keep + (1 - keep) / s.factor;
  }
}

double yarn_magnitude(const RopeScaling& s) {
  const double log_factor = std::log(s.factor);
  return (1 + 0.1 * log_factor) / (1 + 0.1 * s.log_multiplier * log_factor);
}

void divide(std::vector<double>& frequencies, const std::vector<float>& factors) {
  for (std::size_t i = 0; i < factors.size(); ++i) frequencies[i] /= static_cast<double>(factors[i]);
}

}  // namespace

Rope::Rope(const ModelConfig& c, const Weights& weights, std::size_t n_ctx) {
  for (std::size_t i = 0; i < c.n_rot / 2; ++i) {
    frequencies_.push_back(
        std::pow(c.rope_base, -2.0 * static_cast<double>(i) / static_cast<double>(c.n_rot)));
  }
  const RopeScaling& s = c.rope_scaling;
  divide(frequencies_, weights.rope_freqs);
  divide(frequencies_, n_ctx > s.n_ctx_original ? weights.rope_factors_long : weights.rope_factors_short);
  magnitude_ = s.attn_factor;
  switch (s.kind) {
    case RopeScaling::Kind::None:
      break;
    case RopeScaling::Kind::Yarn:
      apply_yarn(c, frequencies_);
      magnitude_ *= yarn_magnitude(s);
      break;
    case RopeScaling::Kind::LongRope:
    case RopeScaling::Kind::Linear:
      for (double& f : frequencies_) f /= s.factor;
      break;
  }
}

void Rope::angles(std::size_t position, float* cos, float* sin) const noexcept {
  for (std::size_t i = 0; i < frequencies_.size(); ++i) {
    const double angle = static_cast<double>(position) * frequencies_[i];
    cos[i] = static_cast<float>(std::cos(angle) * magnitude_);
    sin[i] = static_cast<float>(std::sin(angle) * magnitude_);
  }
}

}  // namespace armature
