#include <cstdint>
#include <string>
#include <vector>

#include "bench/rows.h"
#include "gguf/types.h"

/// Products. The weights of a matmul row are streamed from memory, as in decoding; those of a panel row are
/// one panel.
namespace armature::bench {
namespace {

using kernels::Arithmetic;
using kernels::Form;
using kernels::MatmulRow;
using kernels::PanelRow;

constexpr std::size_t kInner = 4096;              // k of the products
constexpr std::size_t kWeightBytes = 256u << 20;  // that a fast matmul row streams
constexpr std::size_t kManyRows = 128;            // m of the panel rows

/// Zeros are as fast as other weights: no row looks at their values.
const std::vector<std::uint8_t>& weights() {
  static const std::vector<std::uint8_t> zeros(kWeightBytes);
  return zeros;
}

/// m rows of ones in any form.
struct Ones {
  explicit Ones(std::size_t m)
      : values(m * kInner, 1.0f),
        codes(m * kInner, std::int8_t{1}),
        steps(m * kInner / 32, 1.0f),
        sums(m * kInner / 16, std::int16_t{16}) {}

  kernels::Operand in(Form form) const {
    const std::size_t block = form == Form::Q8_32 ? 32 : 256;
    return form == Form::F32 ? kernels::Operand{values.data(), nullptr, nullptr, nullptr, kInner, 0, 0, 0}
                             : kernels::Operand{nullptr, codes.data(), steps.data(),   sums.data(),
                                                0,       kInner,       kInner / block, kInner / 16};
  }

  std::vector<float> values;
  std::vector<std::int8_t> codes;
  std::vector<float> steps;
  std::vector<std::int16_t> sums;
};

Arithmetic arithmetic_of(Form form) { return form == Form::F32 ? Arithmetic::F32 : Arithmetic::Int8; }

void run_matmul(benchmark::State& state, const MatmulRow& row, std::size_t m) {
  const std::size_t stride = gguf::row_bytes(row.weights, kInner);
  // Scalar rows are bound by their arithmetic: less will do.
  const std::size_t n = (row.needs == cpu::kNone ? kWeightBytes / 64 : kWeightBytes) / stride;
  const std::vector<std::uint8_t>& w = weights();
  const Ones x(m);
  std::vector<float> y(m * n);
  repeat(state,
         {.bytes = static_cast<double>(n * stride),
          .multiply_adds = static_cast<double>(m * n * kInner),
          .from_memory = row.needs != cpu::kNone,
          .arithmetic = arithmetic_of(row.form)},
         [&] {
           row.run({y.data(), n, x.in(row.form), w.data(), stride, m, n, kInner});
         });
}

/// A panel is unpacked anew each time, as in the engine.
void run_panel(benchmark::State& state, const PanelRow& row) {
  const std::size_t n = row.n_tile, stride = gguf::row_bytes(row.weights, kInner);
  const Ones x(kManyRows);
  std::vector<float> y(kManyRows * n);
  std::vector<std::uint8_t> memory(row.bytes(kInner) + 64);
  std::uint8_t* panel = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
  repeat(state,
         {.bytes = static_cast<double>(n * stride),
          .multiply_adds = static_cast<double>(kManyRows * n * kInner),
          .arithmetic = arithmetic_of(row.form)},
         [&] {
           row.unpack({panel, weights().data(), stride, n, kInner});
           row.run({y.data(), n, x.in(row.form), panel, kManyRows, n, kInner});
         });
}

std::string detail(gguf::TensorType weights, Form form, std::size_t m) {
  constexpr const char* kForms[] = {"F32", "Q8_32", "Q8_256"};
  return std::string(gguf::type_info(weights).name) + "/" + kForms[static_cast<int>(form)] +
         "/m:" + std::to_string(m);
}

}  // namespace

void register_products() {
  for (const MatmulRow& row : kernels::matmul_rows())
    for (const std::size_t m : {1u, 4u})
      register_row(row, "matmul", detail(row.weights, row.form, m),
                   [m](benchmark::State& state, const MatmulRow& r) { run_matmul(state, r, m); });
  for (const PanelRow& row : kernels::panel_rows())
    register_row(row, "panel", detail(row.weights, row.form, kManyRows), run_panel);
}

}  // namespace armature::bench
