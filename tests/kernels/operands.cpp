#include "tests/kernels/operands.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/scalar/half.h"
#include "tests/kernels/format_reference.h"

namespace armature::test {
namespace {

using gguf::TensorType;
using kernels::Form;

std::size_t block_of(Form form, std::size_t k) {
  if (form == Form::F32) return k;
  return form == Form::Q8_32 ? 32 : 256;
}

std::size_t span_of(bool used, std::size_t m, std::size_t stride, std::size_t row) {
  return used ? (m - 1) * stride + row : 0;
}

void put_u16(std::uint8_t* p, std::uint16_t bits) {
  p[0] = static_cast<std::uint8_t>(bits);
  p[1] = static_cast<std::uint8_t>(bits >> 8);
}

void put_value(TensorType type, std::uint8_t* p, float value) {
  if (type == TensorType::F32) std::memcpy(p, &value, sizeof value);
  if (type == TensorType::F16) put_u16(p, kernels::scalar::f16_from_f32(value));
  if (type == TensorType::BF16) put_u16(p, kernels::scalar::bf16_from_f32(value));
}

std::uint16_t random_scale(WeightFill kind, Rng& rng) {
  const auto sign = static_cast<std::uint16_t>(rng.below(4) == 0 ? 0x8000 : 0);
  const auto with_sign = [=](std::size_t bits) { return static_cast<std::uint16_t>(bits | sign); };
  switch (kind) {
    case WeightFill::TinyScales:
      return with_sign(1 + rng.below(0x3ff));
    case WeightFill::HugeScales:
      return with_sign(0x7b00 + rng.below(0x100));
    case WeightFill::Zero:
      return 0;
    case WeightFill::Exact:
      return with_sign(rng.below(2) ? 0x3c00 : 0x3800);  // 1 or 1/2
    default:
      return with_sign(kernels::scalar::f16_from_f32(rng.uniform(0.01f, 0.1f)));
  }
}

}  // namespace

Activations::Activations(Form form, std::size_t m, std::size_t k, Rng& rng)
    : form_(form),
      m_(m),
      k_(k),
      block_(block_of(form, k)),
      values_stride_(k + rng.below(4)),
      codes_stride_(k + rng.below(6)),
      steps_stride_(k / block_ + rng.below(3)),
      sums_stride_(k / 16 + rng.below(3)),
      values_(span_of(form == Form::F32, m, values_stride_, k)),
      codes_(span_of(form != Form::F32, m, codes_stride_, k)),
      steps_(span_of(form != Form::F32, m, steps_stride_, k / block_)),
      sums_(span_of(form != Form::F32, m, sums_stride_, k / 16)) {}

void Activations::set_block(std::size_t row, std::size_t block, float step, const std::vector<int>& codes) {
  const std::size_t at = block * block_;
  if (form_ == Form::F32) {
    for (std::size_t i = 0; i < block_; ++i)
      values_[row * values_stride_ + at + i] = static_cast<float>(codes[i]) * step;
    return;
  }
  steps_[row * steps_stride_ + block] = step;
  for (std::size_t i = 0; i < block_; ++i)
    codes_[row * codes_stride_ + at + i] = static_cast<std::int8_t>(codes[i]);
  for (std::size_t i = 0; i < block_; i += 16) {
    int sum = 0;
    for (std::size_t j = 0; j < 16; ++j) sum += codes[i + j];
    sums_[row * sums_stride_ + (at + i) / 16] = static_cast<std::int16_t>(sum);
  }
}

void Activations::fill(ActivationFill kind, Rng& rng, int limit) {
  std::vector<int> codes(block_);
  for (std::size_t row = 0; row < m_; ++row) {
    const bool zeros = kind == ActivationFill::Normal && m_ > 1 && row == m_ / 2;
    const float size = std::pow(10.0f, static_cast<float>(rng.between(-30, 3)));
    for (std::size_t block = 0; block < k_ / block_; ++block) {
      int extreme = 127;
      for (int& code : codes) {
        if (rng.below(24) == 0) extreme = -extreme;
        code = zeros ? 0 : kind == ActivationFill::Extremes ? extreme : rng.between(-limit, limit);
      }
      float step = rng.uniform(0.001f, 0.02f);
      if (kind == ActivationFill::Exact) step = rng.below(2) ? 0.5f : 0.25f;
      if (kind == ActivationFill::Extremes) step *= size;
      set_block(row, block, zeros ? 0.0f : step, codes);
    }
    if (form_ == Form::F32 && kind == ActivationFill::Normal && !zeros)
      for (std::size_t i = 0; i < k_; ++i) values_[row * values_stride_ + i] = rng.normal();
  }
}

void Activations::round(const float* x, std::size_t x_stride) {
  if (form_ == Form::F32) {
    for (std::size_t row = 0; row < m_; ++row)
      std::memcpy(values_.data() + row * values_stride_, x + row * x_stride, k_ * sizeof(float));
    return;
  }
  kernels::choose_round(form_, cpu::kNone)
      .run({x, x_stride, codes_.data(), steps_.data(), sums_.data(), codes_stride_, steps_stride_,
            sums_stride_, m_, k_});
}

kernels::Operand Activations::operand(std::size_t first) const {
  kernels::Operand x{};
  if (form_ == Form::F32) {
    x.values = values_.data() + first * values_stride_;
    x.values_stride = values_stride_;
    return x;
  }
  x.codes = codes_.data() + first * codes_stride_;
  x.steps = steps_.data() + first * steps_stride_;
  x.sums = sums_.data() + first * sums_stride_;
  x.codes_stride = codes_stride_;
  x.steps_stride = steps_stride_;
  x.sums_stride = sums_stride_;
  return x;
}

double Activations::value(std::size_t row, std::size_t i) const {
  if (form_ == Form::F32) return static_cast<double>(values_[row * values_stride_ + i]);
  return static_cast<double>(steps_[row * steps_stride_ + i / block_]) * codes_[row * codes_stride_ + i];
}

void Activations::poison_row(std::size_t row) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  if (form_ == Form::F32)
    values_[row * values_stride_ + k_ / 2] = nan;
  else
    set_block(row, k_ / block_ / 2, nan, std::vector<int>(block_, 0));
}

Weights::Weights(TensorType type, std::size_t n, std::size_t k, Rng& rng)
    : type_(type),
      n_(n),
      k_(k),
      stride_(gguf::row_bytes(type, k) + rng.below(4)),
      bytes_((n - 1) * stride_ + gguf::row_bytes(type, k), rng.below(2)) {}

void Weights::fill(WeightFill kind, Rng& rng) {
  const gguf::TypeInfo& info = gguf::type_info(type_);
  for (std::size_t j = 0; j < n_; ++j) {
    if (info.block_size == 1) {
      fill_plain(row(j), kind, rng);
      continue;
    }
    for (std::size_t at = 0; at < k_ / info.block_size; ++at)
      fill_block(row(j) + at * info.block_bytes, kind, rng);
  }
}

void Weights::fill_plain(std::uint8_t* row, WeightFill kind, Rng& rng) {
  const std::size_t bytes = gguf::type_info(type_).block_bytes;
  // The lowest exponents and the highest of each format that still leave room for a finite sum.
  const float tiny = type_ == TensorType::F16 ? 0x1p-20f : 0x1p-130f;
  const float huge = type_ == TensorType::F16 ? 6e4f : 1e30f;
  for (std::size_t i = 0; i < k_; ++i, row += bytes) {
    float value = 0.05f * rng.normal();
    if (kind == WeightFill::Zero || kind == WeightFill::ZeroBits) value = 0.0f;
    if (kind == WeightFill::SignBits) value = -0.0f;
    if (kind == WeightFill::TinyScales) value = tiny * rng.normal();
    if (kind == WeightFill::HugeScales) value = huge * rng.uniform(-1.0f, 1.0f);
    if (kind == WeightFill::Exact) value = 0.5f * static_cast<float>(rng.between(-15, 15));
    put_value(type_, row, value);
  }
}

void Weights::fill_block(std::uint8_t* block, WeightFill kind, Rng& rng) {
  const std::size_t bytes = gguf::type_info(type_).block_bytes;
  for (std::size_t i = 0; i < bytes; ++i) {
    block[i] = static_cast<std::uint8_t>(rng.next());
    if (kind == WeightFill::ZeroBits || kind == WeightFill::Zero) block[i] = 0;
    if (kind == WeightFill::OneBits) block[i] = 0xff;
    if (kind == WeightFill::SignBits) block[i] = 0x80;
  }
  const ScaleFields fields = scale_fields(type_);
  put_u16(block + fields.scale, random_scale(kind, rng));
  if (fields.minimum >= 0) put_u16(block + fields.minimum, random_scale(kind, rng));
}

ExactProduct exact_product(const Activations& x, const Weights& w) {
  const std::size_t m = x.m(), n = w.n(), k = x.k();
  ExactProduct result{std::vector<double>(m * n), std::vector<double>(m * n)};
  std::vector<double> values(k), magnitudes(k);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < k; ++i) {
      const StoredWeight weight = stored_weight(w.type(), w.row(j), i);
      values[i] = weight.value();
      magnitudes[i] = weight.magnitude();
    }
    for (std::size_t row = 0; row < m; ++row)
      for (std::size_t i = 0; i < k; ++i) {
        const double value = x.value(row, i);
        result.y[row * n + j] += value * values[i];
        result.magnitude[row * n + j] += std::abs(value) * magnitudes[i];
      }
  }
  return result;
}

double sum_tolerance(std::size_t k, double magnitude) {
  const auto terms = static_cast<double>(2 * k);
  return 8 * std::sqrt(terms) * kUnit * magnitude + terms * 0x1p-149;
}

}  // namespace armature::test
