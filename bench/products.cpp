#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gguf/types.h"
#include "kernels/kernels.h"

/// Every product row of the table on one thread: bytes of weights and operations (two for each multiply-add)
/// per second. The weights of a matmul row are larger than a cache, as in decoding; those of a panel row are
/// one panel. Rows that this CPU cannot run are not registered.
namespace armature {
namespace {

using kernels::Form;
using kernels::MatmulRow;
using kernels::PanelRow;

constexpr std::size_t kInner = 4096;         // k of the products
constexpr std::size_t kWeights = 16u << 20;  // weights that a matmul row streams
constexpr std::size_t kManyRows = 128;       // m of the panel rows

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

void count(benchmark::State& state, std::size_t weight_bytes, std::size_t multiply_adds) {
  using benchmark::Counter;
  const auto n = static_cast<double>(state.iterations());
  state.counters["GB/s"] = Counter(n * static_cast<double>(weight_bytes) * 1e-9, Counter::kIsRate);
  state.counters["GOP/s"] = Counter(2e-9 * n * static_cast<double>(multiply_adds), Counter::kIsRate);
}

/// Zeros are as fast as other weights: no row looks at their values.
void run_matmul(benchmark::State& state, const MatmulRow& row, std::size_t m) {
  const std::size_t n = kWeights / kInner, stride = gguf::row_bytes(row.weights, kInner);
  const std::vector<std::uint8_t> w(n * stride);
  const Ones x(m);
  std::vector<float> y(m * n);
  for (auto _ : state) {
    row.run({y.data(), n, x.in(row.form), w.data(), stride, m, n, kInner});
    benchmark::ClobberMemory();
  }
  count(state, w.size(), m * n * kInner);
}

/// A panel is unpacked anew each time, as in the engine.
void run_panel(benchmark::State& state, const PanelRow& row) {
  const std::size_t n = row.n_tile, stride = gguf::row_bytes(row.weights, kInner);
  const std::vector<std::uint8_t> w(n * stride);
  const Ones x(kManyRows);
  std::vector<float> y(kManyRows * n);
  std::vector<std::uint8_t> memory(row.bytes(kInner) + 64);
  std::uint8_t* panel = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
  for (auto _ : state) {
    row.unpack({panel, w.data(), stride, n, kInner});
    row.run({y.data(), n, x.in(row.form), panel, kManyRows, n, kInner});
    benchmark::ClobberMemory();
  }
  count(state, w.size(), kManyRows * n * kInner);
}

std::string name_of(const char* kind, std::string_view isa, gguf::TensorType weights, Form form,
                    std::size_t m) {
  constexpr const char* kForms[] = {"F32", "Q8_32", "Q8_256"};
  return std::string(kind) + "/" + std::string(isa) + "/" + std::string(gguf::type_info(weights).name) + "/" +
         kForms[static_cast<int>(form)] + "/m:" + std::to_string(m);
}

void register_rows() {
  for (const MatmulRow& row : kernels::matmul_rows())
    for (std::size_t m : {1u, 4u})
      if (cpu::has(cpu::detect(), row.needs))
        benchmark::RegisterBenchmark(name_of("matmul", row.name, row.weights, row.form, m).c_str(),
                                     [&row, m](benchmark::State& state) { run_matmul(state, row, m); });
  for (const PanelRow& row : kernels::panel_rows())
    if (cpu::has(cpu::detect(), row.needs))
      benchmark::RegisterBenchmark(name_of("panel", row.name, row.weights, row.form, kManyRows).c_str(),
                                   [&row](benchmark::State& state) { run_panel(state, row); });
}

}  // namespace
}  // namespace armature

int main(int argc, char** argv) {
  armature::register_rows();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
