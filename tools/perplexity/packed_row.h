#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// A row of log-probabilities in 16 bits each, as it stands in the files of --kl-divergence-base
/// (docs/formats.md): two floats, step and lowest, then a code for each token of the vocabulary and, where
/// their number is odd, 2 bytes more. A token's log-probability is lowest + step * code.
namespace armature::tools::perplexity {

/// log(sum(exp(logits))), summed in double. At least one logit; all finite.
double log_sum_exp(std::span<const float> logits);

std::size_t packed_row_bytes(std::size_t n_vocab);

/// Writes a row of packed_row_bytes(logits.size()) bytes. What lies more than 16 below the largest logit gets
/// code 0. `log_sum` is log_sum_exp(logits).
void pack_row(std::span<const float> logits, double log_sum, std::byte* out) noexcept;

/// A view of a row; it may lie at any address.
class PackedRow {
 public:
  explicit PackedRow(const std::byte* bytes) noexcept;
  float step() const { return step_; }
  float lowest() const { return lowest_; }
  /// Whether it can be that of probabilities: the step is not negative, and the highest one is between 1 /
  /// n_vocab and 1.
  bool is_sound(std::size_t n_vocab) const;
  float log_probability(std::size_t token) const noexcept;

 private:
  float step_, lowest_;
  const std::byte* codes_;
};

}  // namespace armature::tools::perplexity
