#include "tools/synth/weight_types.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "gguf/blocks.h"
#include "tools/synth/names.h"

namespace armature::tools::synth {
namespace {

using gguf::TensorType;

// Codes are uniform, so those of n bits have the mean (2^n - 1) / 2 and, about it, the mean square
// (4^n - 1) / 12. Layouts: docs/formats.md; of the types without kernels here, those of ggml (ggml-common.h,
// 2026-08), where every codebook has an entry for every index.

/// Q8_0: codes of quantizers are symmetric.
void adjust_q8_0(std::uint8_t* block) {
  for (std::size_t i = 2; i < sizeof(gguf::BlockQ8_0); ++i) block[i] = block[i] == 0x80 ? 0x81 : block[i];
}

/// Q2_K: scales 8 to 15 (root of the mean square 11.7), each minimum equal to its scale.
void adjust_q2_k(std::uint8_t* block) {
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned scale = 8u + (block[i] & 7u);
    block[i] = static_cast<std::uint8_t>(scale | scale << 4);
  }
}

/// Q4_K and Q5_K: scales 32 to 63 (48.4), each minimum equal to its scale.
void adjust_six_bits(std::uint8_t* block) {
  std::uint8_t* scales = block + 4;
  for (std::size_t i = 0; i < 4; ++i) {
    scales[i] |= 0xa0;
    scales[4 + i] = scales[i];
    scales[8 + i] = static_cast<std::uint8_t>((scales[8 + i] & 15u) * 0x11u);
  }
}

/// Q6_K: scales 16 to 31 (23.9).
void adjust_q6_k(std::uint8_t* block) {
  for (std::size_t i = 192; i < 208; ++i) block[i] = static_cast<std::uint8_t>(16u + (block[i] & 15u));
}

/// TQ2_0: code 3 does not occur; it becomes 1, the weight 0.
void adjust_tq2_0(std::uint8_t* block) {
  for (std::size_t i = 0; i < 64; ++i) {
    const unsigned threes = block[i] & (block[i] >> 1) & 0x55u;
    block[i] = static_cast<std::uint8_t>(block[i] & ~(threes << 1));
  }
}

constexpr BlockRule kQ4_0 = {.rms = 4.64, .d_at = 0};
constexpr BlockRule kQ4_1 = {.rms = 4.61, .d_at = 0, .minimum = -7.5, .minimum_at = 2};
constexpr BlockRule kQ5_0 = {.rms = 9.25, .d_at = 0};
constexpr BlockRule kQ5_1 = {.rms = 9.23, .d_at = 0, .minimum = -15.5, .minimum_at = 2};
constexpr BlockRule kQ8_0 = {.rms = 73.6, .d_at = 0, .adjust = adjust_q8_0};
constexpr BlockRule kIQ4_NL = {.rms = 67.4, .d_at = 0};
constexpr BlockRule kQ2_K = {
    .rms = 11.7 * 1.118, .d_at = 80, .minimum = 1.5, .minimum_at = 82, .adjust = adjust_q2_k};
constexpr BlockRule kQ3_K = {.rms = 18.5 * 2.35, .d_at = 108};
constexpr BlockRule kQ4_K = {
    .rms = 48.4 * 4.61, .d_at = 0, .minimum = 7.5, .minimum_at = 2, .adjust = adjust_six_bits};
constexpr BlockRule kQ5_K = {
    .rms = 48.4 * 9.23, .d_at = 0, .minimum = 15.5, .minimum_at = 2, .adjust = adjust_six_bits};
constexpr BlockRule kQ6_K = {.rms = 23.9 * 18.5, .d_at = 208, .adjust = adjust_q6_k};
constexpr BlockRule kIQ4_XS = {.rms = 18.5 * 67.4, .d_at = 0};
// Of the types with a codebook rms is measured: over random blocks, with ggml's dequantization.
constexpr BlockRule kIQ1_S = {.rms = 7.3, .d_at = 0};
constexpr BlockRule kIQ2_XXS = {.rms = 53.5, .d_at = 0};
constexpr BlockRule kIQ2_XS = {.rms = 56, .d_at = 0};
constexpr BlockRule kIQ2_S = {.rms = 57.5, .d_at = 0};
constexpr BlockRule kIQ3_XXS = {.rms = 145, .d_at = 0};
constexpr BlockRule kIQ3_S = {.rms = 142, .d_at = 0};
constexpr BlockRule kTQ1_0 = {.rms = 0.82, .d_at = 52};
constexpr BlockRule kTQ2_0 = {.rms = 0.71, .d_at = 64, .adjust = adjust_tq2_0};

// Substitutes and output types are those of llama.cpp's quantizer (llama-quant.cpp, 2026-08).
constexpr WeightType kTypes[] = {
    {TensorType::F32, 0, TensorType::F32, TensorType::F32, nullptr},
    {TensorType::F16, 1, TensorType::F16, TensorType::F16, nullptr},
    {TensorType::BF16, 32, TensorType::BF16, TensorType::BF16, nullptr},
    {TensorType::Q8_0, 7, TensorType::Q8_0, TensorType::Q8_0, &kQ8_0},
    {TensorType::Q4_0, 2, TensorType::Q4_0, TensorType::Q6_K, &kQ4_0},
    {TensorType::Q4_1, 3, TensorType::Q4_1, TensorType::Q6_K, &kQ4_1},
    {TensorType::Q5_0, 8, TensorType::Q5_0, TensorType::Q6_K, &kQ5_0},
    {TensorType::Q5_1, 9, TensorType::Q5_1, TensorType::Q6_K, &kQ5_1},
    {TensorType::Q2_K, 10, TensorType::Q4_0, TensorType::Q6_K, &kQ2_K},
    {TensorType::Q3_K, 11, TensorType::Q4_0, TensorType::Q6_K, &kQ3_K},
    {TensorType::Q4_K, 14, TensorType::Q5_0, TensorType::Q6_K, &kQ4_K},
    {TensorType::Q5_K, 16, TensorType::Q5_1, TensorType::Q6_K, &kQ5_K},
    {TensorType::Q6_K, 18, TensorType::Q8_0, TensorType::Q6_K, &kQ6_K},
    {TensorType::IQ4_NL, 25, TensorType::IQ4_NL, TensorType::Q6_K, &kIQ4_NL},
    {TensorType::IQ4_XS, 30, TensorType::IQ4_NL, TensorType::Q6_K, &kIQ4_XS},
    {TensorType::IQ1_S, 24, TensorType::IQ4_NL, TensorType::Q6_K, &kIQ1_S},
    {TensorType::IQ2_XXS, 19, TensorType::IQ4_NL, TensorType::Q6_K, &kIQ2_XXS},
    {TensorType::IQ2_XS, 20, TensorType::IQ4_NL, TensorType::Q6_K, &kIQ2_XS},
    {TensorType::IQ2_S, 28, TensorType::IQ4_NL, TensorType::Q6_K, &kIQ2_S},
    {TensorType::IQ3_XXS, 23, TensorType::IQ4_NL, TensorType::Q6_K, &kIQ3_XXS},
    {TensorType::IQ3_S, 26, TensorType::IQ4_NL, TensorType::Q6_K, &kIQ3_S},
    {TensorType::TQ1_0, 36, TensorType::Q4_0, TensorType::Q6_K, &kTQ1_0},
    {TensorType::TQ2_0, 37, TensorType::Q4_0, TensorType::Q6_K, &kTQ2_0},
};

}  // namespace

std::span<const WeightType> weight_types() { return kTypes; }

const WeightType& weight_type(TensorType type) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [type](const WeightType& row) { return row.type == type; });
  assert(found != std::end(kTypes));
  return *found;
}

const WeightType& find_weight_type(std::string_view name) {
  std::vector<std::string_view> names;
  for (const WeightType& row : kTypes) {
    const std::string_view known = gguf::type_info(row.type).name;
    if (same_name(name, known)) return row;
    names.push_back(known);
  }
  throw unknown_name("type", name, names);
}

}  // namespace armature::tools::synth
