#include "tools/perplexity/packed_row.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace armature::tools::perplexity {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are little-endian");

constexpr std::size_t kHead = 2 * sizeof(float);
constexpr float kMaxCode = 65535;
constexpr float kDepth = 16;  // below the largest logit, from where on tokens are not told apart

}  // namespace

double log_sum_exp(std::span<const float> logits) {
  const double max = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - max);
  return max + std::log(sum);
}

std::size_t packed_row_bytes(std::size_t n_vocab) {
  return kHead + (n_vocab + n_vocab % 2) * sizeof(std::uint16_t);
}

void pack_row(std::span<const float> logits, double log_sum, std::byte* out) noexcept {
  const auto [min, max] = std::minmax_element(logits.begin(), logits.end());
  const float lowest_logit = std::max(*min, *max - kDepth);
  const float step = (*max - lowest_logit) / kMaxCode;
  const auto lowest = static_cast<float>(static_cast<double>(lowest_logit) - log_sum);
  std::memcpy(out, &step, sizeof step);
  std::memcpy(out + sizeof step, &lowest, sizeof lowest);
  std::byte* code_at = out + kHead;
  for (const float logit : logits) {
    const float steps = step > 0 ? (logit - lowest_logit) / step : 0.0f;
    const auto code = static_cast<std::uint16_t>(std::nearbyint(std::clamp(steps, 0.0f, kMaxCode)));
    std::memcpy(code_at, &code, sizeof code);
    code_at += sizeof code;
  }
  std::memset(code_at, 0, logits.size() % 2 * sizeof(std::uint16_t));
}

PackedRow::PackedRow(const std::byte* bytes) noexcept : codes_(bytes + kHead) {
  std::memcpy(&step_, bytes, sizeof step_);
  std::memcpy(&lowest_, bytes + sizeof step_, sizeof lowest_);
}

bool PackedRow::is_sound(std::size_t n_vocab) const {
  constexpr double kRounding = 0.01;  // more than that of step and lowest in f32
  const double highest =
      static_cast<double>(lowest_) + static_cast<double>(kMaxCode) * static_cast<double>(step_);
  return step_ >= 0 && std::isfinite(lowest_) && highest <= kRounding &&
         highest >= -std::log(static_cast<double>(n_vocab)) - kRounding;
}

float PackedRow::log_probability(std::size_t token) const noexcept {
  std::uint16_t code;
  std::memcpy(&code, codes_ + token * sizeof code, sizeof code);
  return lowest_ + step_ * static_cast<float>(code);
}

}  // namespace armature::tools::perplexity
