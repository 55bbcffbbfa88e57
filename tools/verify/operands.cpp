#include "tools/verify/operands.h"

#include <algorithm>
#include <cstring>

#include "kernels/scalar/half.h"
#include "tools/synth/weight_types.h"

namespace armature::tools::verify {
namespace {

using gguf::TensorType;
using kernels::Form;

constexpr std::size_t block_of(Form form) { return form == Form::Q8_256 ? 256 : 32; }

float whole_number(int limit, Random& random) {
  return static_cast<float>(static_cast<int>(random.below(static_cast<std::uint64_t>(2 * limit + 1))) -
                            limit);
}

void fill_values(std::vector<float>& values, std::size_t block, Fill fill, Random& random, int limit) {
  float extreme = 1, power = 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % block == 0) power = random.below(2) != 0 ? 2.0f : 1.0f;
    if (random.below(24) == 0) extreme = -extreme;
    if (fill == Fill::Random)
      values[i] = static_cast<float>(3 * random.signed_unit());
    else if (fill == Fill::Exact)
      values[i] = power * (i % block == 5 ? 127 : whole_number(limit, random));
    else
      values[i] = extreme;
  }
}

}  // namespace

const char* name_of(Fill fill) {
  switch (fill) {
    case Fill::Random:
      return "random weights";
    case Fill::AllOnes:
      return "weights with all bits set";
    case Fill::SignBits:
      return "weights with sign bits set";
    case Fill::Exact:
      return "whole numbers";
  }
  return "";
}

Activations::Activations(Form form, std::size_t m, std::size_t k, Fill fill, Random& random, int limit)
    : form_(form), k_(k), block_(block_of(form)), values_(m * k) {
  fill_values(values_, block_, fill, random, limit);
  if (form == Form::F32) return;
  codes_.resize(m * k);
  steps_.resize(m * k / block_);
  sums_.resize(m * k / 16);
  kernels::choose_round(form, cpu::kNone)
      .run({values_.data(), k, codes_.data(), steps_.data(), sums_.data(), k, k / block_, k / 16, m, k});
}

kernels::Operand Activations::operand(std::size_t first_row) const {
  kernels::Operand x{};
  if (form_ == Form::F32) {
    x.values = values_.data() + first_row * k_;
    x.values_stride = k_;
    return x;
  }
  x.codes_stride = k_;
  x.steps_stride = k_ / block_;
  x.sums_stride = k_ / 16;
  x.codes = codes_.data() + first_row * x.codes_stride;
  x.steps = steps_.data() + first_row * x.steps_stride;
  x.sums = sums_.data() + first_row * x.sums_stride;
  return x;
}

double Activations::at(std::size_t row, std::size_t i) const {
  const std::size_t at = row * k_ + i;
  if (form_ == Form::F32) return static_cast<double>(values_[at]);
  return static_cast<double>(steps_[at / block_]) * codes_[at];
}

WeightRows::WeightRows(TensorType type, std::size_t n, std::size_t k, Fill fill, Random& random)
    : type_(type), n_(n), k_(k), stride_(gguf::row_bytes(type, k) + 3), bytes_(n * stride_) {
  for (std::size_t j = 0; j < n; ++j) {
    std::uint8_t* row = bytes_.data() + j * stride_;
    synth::fill_blocks(std::as_writable_bytes(std::span(row, gguf::row_bytes(type, k))), type, 0.05, random);
  }
  if (fill != Fill::Random) set_scales(fill, random);
}

void WeightRows::set_scales(Fill fill, Random& random) {
  const gguf::TypeInfo& info = gguf::type_info(type_);
  const synth::BlockRule* rule = synth::weight_type(type_).rule;
  const auto put_power = [&](std::uint8_t* at) {
    const std::uint16_t half = random.below(2) != 0 ? 0x3c00 : 0xc000;  // 1 or -2
    std::memcpy(at, &half, sizeof half);
  };
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t b = 0; b < k_ / info.block_size; ++b) {
      std::uint8_t* block = bytes_.data() + j * stride_ + b * info.block_bytes;
      if (rule == nullptr) {
        synth::put_number(reinterpret_cast<std::byte*>(block), type_, whole_number(15, random));
        continue;
      }
      if (fill != Fill::Exact) std::memset(block, fill == Fill::AllOnes ? 0xff : 0x80, info.block_bytes);
      put_power(block + rule->d_at);
      if (rule->minimum != 0) put_power(block + rule->minimum_at);
    }
}

std::vector<float> WeightRows::decoded(std::size_t j) const {
  std::vector<float> out(k_);
  kernels::choose_dequantize(type_, cpu::kNone).run({out.data(), bytes_.data() + j * stride_, k_});
  return out;
}

}  // namespace armature::tools::verify
