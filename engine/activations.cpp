#include "engine/activations.h"

namespace armature {

namespace {

constexpr std::size_t kSumWidth = 16;  // values per entry of Operand::sums

constexpr std::size_t up_to(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// Rows are padded to whole blocks of both forms and to a cache line.
constexpr std::size_t padded(std::size_t k) { return up_to(k, 256); }

std::size_t rounded_bytes(std::size_t rows, std::size_t k, std::size_t block) {
  return rows * (k + k / block * sizeof(float) + k / kSumWidth * sizeof(std::int16_t));
}

}  // namespace

std::size_t Activations::bytes(std::size_t max_rows, std::size_t max_k) {
  const std::size_t k = padded(max_k);
  return max_rows * k * sizeof(float) + rounded_bytes(max_rows, k, 32) + rounded_bytes(max_rows, k, 256);
}

Activations::Activations(std::byte* memory, std::size_t max_rows, std::size_t max_k) : max_k_(padded(max_k)) {
  const auto take = [&]<class T>(T*& field, std::size_t n) {
    field = reinterpret_cast<T*>(memory);
    memory += n * sizeof(T);
  };
  take(values_, max_rows * max_k_);
  for (const auto& [form, block] : {std::pair{&q8_32_, 32u}, std::pair{&q8_256_, 256u}}) {
    form->steps_stride = max_k_ / block;
    take(form->steps, max_rows * form->steps_stride);
    take(form->sums, max_rows * max_k_ / kSumWidth);
    take(form->codes, max_rows * max_k_);
  }
}

void Activations::round_to(const Rounded& to, const kernels::RoundRow& row, std::size_t i,
                           std::size_t k) const noexcept {
  const std::size_t sums_stride = max_k_ / kSumWidth;
  row.run({.x = values_ + i * max_k_,
           .x_stride = max_k_,
           .codes = to.codes + i * max_k_,
           .steps = to.steps + i * to.steps_stride,
           .sums = to.sums + i * sums_stride,
           .codes_stride = max_k_,
           .steps_stride = to.steps_stride,
           .sums_stride = sums_stride,
           .m = 1,
           .k = k});
}

void Activations::round(std::size_t i, std::size_t k, FormSet forms, const Operations& ops) const noexcept {
  if (forms.has(kernels::Form::Q8_32)) round_to(q8_32_, *ops.round_32, i, k);
  if (forms.has(kernels::Form::Q8_256)) round_to(q8_256_, *ops.round_256, i, k);
}

kernels::Operand Activations::operand(kernels::Form form, std::size_t first) const noexcept {
  const std::size_t sums_stride = max_k_ / kSumWidth;
  kernels::Operand x{};
  if (form == kernels::Form::F32) {
    x.values = values_ + first * max_k_;
    x.values_stride = max_k_;
    return x;
  }
  const Rounded& rounded = form == kernels::Form::Q8_32 ? q8_32_ : q8_256_;
  x.codes = rounded.codes + first * max_k_;
  x.steps = rounded.steps + first * rounded.steps_stride;
  x.sums = rounded.sums + first * sums_stride;
  x.codes_stride = max_k_;
  x.steps_stride = rounded.steps_stride;
  x.sums_stride = sums_stride;
  return x;
}

}  // namespace armature
