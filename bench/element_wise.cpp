#include <cstdint>
#include <vector>

#include "bench/rows.h"
#include "gguf/types.h"

/// What takes each element of a row once. The rows stay in a cache, as they do in the engine.
namespace armature::bench {
namespace {

constexpr std::size_t kElements = 4096;  // of a row
constexpr double kFloats = kElements * sizeof(float);

void run_round(benchmark::State& state, const kernels::RoundRow& row) {
  const std::size_t block = row.form == kernels::Form::Q8_32 ? 32 : 256;
  const std::vector<float> x(kElements, 1.0f);
  std::vector<std::int8_t> codes(kElements);
  std::vector<float> steps(kElements / block);
  std::vector<std::int16_t> sums(kElements / 16);
  repeat(state, {.bytes = kFloats}, [&] {
    row.run({x.data(), kElements, codes.data(), steps.data(), sums.data(), kElements, steps.size(),
             sums.size(), 1, kElements});
  });
}

void run_dequantize(benchmark::State& state, const kernels::DequantizeRow& row) {
  const std::vector<std::uint8_t> blocks(gguf::row_bytes(row.weights, kElements));
  std::vector<float> out(kElements);
  repeat(state, {.bytes = static_cast<double>(blocks.size())}, [&] {
    row.run({out.data(), blocks.data(), kElements});
  });
}

void run_norm(benchmark::State& state, const kernels::NormRow& row) {
  const std::vector<float> x(kElements, 1.0f), weight(kElements, 1.0f);
  std::vector<float> out(kElements);
  repeat(state, {.bytes = 2 * kFloats}, [&] {
    row.run({out.data(), kElements, x.data(), kElements, weight.data(), nullptr, 1, kElements, 1e-5f});
  });
}

void run_rope(benchmark::State& state, const kernels::RopeRow& row) {
  constexpr std::size_t kHeadDim = 128;
  std::vector<float> x(kElements, 1.0f);
  const std::vector<float> cos(kHeadDim / 2, 0.6f), sin(kHeadDim / 2, 0.8f);
  repeat(state, {.bytes = kFloats}, [&] {
    row.run({x.data(), cos.data(), sin.data(), kElements / kHeadDim, kHeadDim, kHeadDim});
  });
}

void run_activation(benchmark::State& state, const kernels::ActivationRow& row) {
  const std::vector<float> gate(kElements, 0.5f), up(kElements, 1.0f);
  std::vector<float> out(kElements);
  repeat(state, {.bytes = 2 * kFloats}, [&] { row.run({out.data(), gate.data(), up.data(), kElements}); });
}

void run_softmax(benchmark::State& state, const kernels::SoftmaxRow& row) {
  std::vector<float> x(kElements, 1.0f);
  repeat(state, {.bytes = kFloats}, [&] { row.run({x.data(), kElements}); });
}

void run_store(benchmark::State& state, const kernels::StoreRow& row) {
  const std::vector<float> x(kElements, 1.0f);
  std::vector<float> out(kElements);  // room for the largest type
  repeat(state, {.bytes = kFloats}, [&] { row.run({out.data(), x.data(), kElements}); });
}

std::string name_of(gguf::TensorType type) { return std::string(gguf::type_info(type).name); }

}  // namespace

void register_element_wise() {
  for (const auto& row : kernels::round_rows())
    register_row(row, "round", row.form == kernels::Form::Q8_32 ? "Q8_32" : "Q8_256", run_round);
  for (const auto& row : kernels::dequantize_rows())
    register_row(row, "dequantize", name_of(row.weights), run_dequantize);
  for (const auto& row : kernels::norm_rows())
    register_row(row, "norm", row.kind == kernels::Norm::Rms ? "rms" : "layer", run_norm);
  for (const auto& row : kernels::rope_rows())
    register_row(row, "rope", row.pairs == kernels::RopePairs::Adjacent ? "adjacent" : "halves", run_rope);
  for (const auto& row : kernels::activation_rows())
    register_row(row, "activation", row.kind == kernels::Activation::Silu ? "silu" : "gelu_tanh",
                 run_activation);
  for (const auto& row : kernels::softmax_rows()) register_row(row, "softmax", "", run_softmax);
  for (const auto& row : kernels::store_rows()) register_row(row, "store", name_of(row.to), run_store);
}

}  // namespace armature::bench
