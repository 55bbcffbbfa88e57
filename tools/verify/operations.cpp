#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "gguf/compose.h"
#include "tools/verify/operands.h"
#include "tools/verify/output.h"
#include "tools/verify/rows.h"

/// All rows but products and attention.
namespace armature::tools::verify {
namespace {

using gguf::TensorType;

constexpr std::uint64_t kSeed = 2;
constexpr std::size_t kLengths[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 65, 100, 576, 2048};

std::vector<float> random_values(std::size_t n, double size, Random& random) {
  std::vector<float> x(n);
  for (float& value : x) value = static_cast<float>(size * random.signed_unit());
  return x;
}

/// Values within `relative` of the defined ones, or within `absolute`; NaN where they are NaN.
Fault compare(const Output& got, const Output& want, double relative, double absolute) {
  if (auto fault = got.written_beside()) return fault;
  for (std::size_t row = 0; row < got.rows(); ++row)
    for (std::size_t i = 0; i < got.cols(); ++i) {
      const double a = static_cast<double>(got.at(row, i)), b = static_cast<double>(want.at(row, i));
      const bool same = std::isnan(b) ? std::isnan(a) : std::abs(a - b) <= relative * std::abs(b) + absolute;
      if (!same) return compose("length {}: element {} of row {} is {}, not {}", got.cols(), i, row, a, b);
    }
  return {};
}

/// Equal values, or NaN where NaN belongs.
template <class T>
Fault compare_all(const std::vector<T>& got, const std::vector<T>& want, const char* what) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]))
      return compose("{} {} of {} is {}, not {}", what, i, got.size(), got[i], want[i]);
  return {};
}

/// A row and its definition on the same data, at all lengths. `run(row, random, out)` makes three rows of
/// them.
template <class Row, class Run>
Fault compare_lengths(const Row& row, const Row& definition, double relative, double absolute, Run run) {
  for (const std::size_t n : kLengths) {
    Output got(3, n), want(3, n);
    Random random(kSeed), same_random(kSeed);
    run(row, random, got);
    run(definition, same_random, want);
    if (auto fault = compare(got, want, relative, absolute)) return fault;
  }
  return {};
}

struct Rounded {
  std::vector<std::int8_t> codes;
  std::vector<float> steps;
  std::vector<std::int16_t> sums;
};
Rounded round(const kernels::RoundRow& row, const std::vector<float>& x, std::size_t m, std::size_t k) {
  const std::size_t block = row.form == kernels::Form::Q8_256 ? 256 : 32;
  Rounded out{std::vector<std::int8_t>(m * k), std::vector<float>(m * k / block),
              std::vector<std::int16_t>(m * k / 16)};
  row.run({x.data(), k, out.codes.data(), out.steps.data(), out.sums.data(), k, k / block, k / 16, m, k});
  return out;
}

/// Blocks of many sizes, with ties between two codes, zeros and denormals among them.
std::vector<float> values_to_round(std::size_t n, Random& random) {
  std::vector<float> x = random_values(n, 1, random);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t kind = i / 256 % 4;
    if (kind == 1) x[i] = i % 32 == 3 ? 127.0f : 0.5f * static_cast<float>(random.below(250)) - 62.0f;
    if (kind == 2) x[i] *= 1e-35f;
    if (kind == 3) x[i] = std::ldexp(x[i], static_cast<int>(i / 32 % 8) * 10 - 40);
  }
  return x;
}

}  // namespace

Fault fault_of(const kernels::RoundRow& row) {
  const auto& definition = kernels::choose_round(row.form, cpu::kNone);
  Random random(kSeed);
  for (const std::size_t k : {256u, 768u, 2048u}) {
    const std::size_t m = 3;
    const std::vector<float> x = values_to_round(m * k, random);
    const Rounded got = round(row, x, m, k), want = round(definition, x, m, k);
    if (auto fault = compare_all(got.codes, want.codes, "code")) return fault;
    if (auto fault = compare_all(got.steps, want.steps, "step")) return fault;
    if (auto fault = compare_all(got.sums, want.sums, "sum")) return fault;
  }
  return {};
}

Fault fault_of(const kernels::DequantizeRow& row) {
  Random random(kSeed);
  const std::size_t block = gguf::type_info(row.weights).block_size;
  for (const Fill fill : {Fill::Random, Fill::AllOnes, Fill::SignBits})
    for (const std::size_t n_blocks : {1u, 2u, 7u, 33u}) {
      const WeightRows w(row.weights, 1, n_blocks * block, fill, random);
      std::vector<float> got(n_blocks * block);
      row.run({got.data(), w.data(), got.size()});
      if (auto fault = compare_all(got, w.decoded(0), "weight"))
        return compose("{}: {}", name_of(fill), *fault);
    }
  return {};
}

Fault fault_of(const kernels::NormRow& row) {
  const auto& definition = kernels::choose_norm(row.kind, cpu::kNone);
  return compare_lengths(row, definition, 1e-5, 1e-6, [](const auto& r, Random& random, Output& out) {
    const std::size_t m = out.rows(), n = out.cols();
    const auto x = random_values(m * n, 5, random), weight = random_values(n, 2, random),
               bias = random_values(n, 1, random);
    r.run({out.data(), out.stride(), x.data(), n, weight.data(),
           r.kind == kernels::Norm::Layer ? bias.data() : nullptr, m, n, 1e-5f});
  });
}

Fault fault_of(const kernels::RopeRow& row) {
  const auto& definition = kernels::choose_rope(row.pairs, cpu::kNone);
  for (const auto& [n_heads, head_dim, n_rot] :
       {std::array<std::size_t, 3>{1, 64, 64}, {3, 128, 128}, {2, 80, 80}, {5, 96, 32}, {1, 6, 2}}) {
    Output got(1, n_heads * head_dim), want(1, n_heads * head_dim);
    Random random(kSeed);
    const auto x = random_values(n_heads * head_dim, 3, random);
    std::vector<float> cosines(n_rot / 2), sines(n_rot / 2);
    for (std::size_t i = 0; i < n_rot / 2; ++i) {
      cosines[i] = std::cos(static_cast<float>(i));
      sines[i] = std::sin(static_cast<float>(i));
    }
    for (Output* out : {&got, &want}) std::copy(x.begin(), x.end(), out->data());
    row.run({got.data(), cosines.data(), sines.data(), n_heads, head_dim, n_rot});
    definition.run({want.data(), cosines.data(), sines.data(), n_heads, head_dim, n_rot});
    if (auto fault = compare(got, want, 0, 1e-6)) return fault;
  }
  return {};
}

Fault fault_of(const kernels::ActivationRow& row) {
  const auto& definition = kernels::choose_activation(row.kind, cpu::kNone);
  return compare_lengths(row, definition, 1e-5, 1e-6, [](const auto& r, Random& random, Output& out) {
    const std::size_t n = out.cols();
    for (std::size_t i = 0; i < out.rows(); ++i) {
      const auto gate = random_values(n, i == 0 ? 4 : 100, random), up = random_values(n, 2, random);
      r.run({out.data() + i * out.stride(), gate.data(), i == 2 ? nullptr : up.data(), n});
    }
  });
}

Fault fault_of(const kernels::SoftmaxRow& row) {
  const auto& definition = kernels::choose_softmax(cpu::kNone);
  return compare_lengths(row, definition, 1e-5, 1e-9, [](const auto& r, Random& random, Output& out) {
    const std::size_t n = out.cols();
    for (std::size_t i = 0; i < out.rows(); ++i) {
      auto x = random_values(n, i == 0 ? 3 : 60, random);
      if (i == 2 && n > 1) x[n / 2] = -std::numeric_limits<float>::infinity();
      std::copy(x.begin(), x.end(), out.data() + i * out.stride());
      r.run({out.data() + i * out.stride(), n});
    }
  });
}

Fault fault_of(const kernels::StoreRow& row) {
  const auto& definition = kernels::choose_store(row.to, cpu::kNone);
  Random random(kSeed);
  for (const std::size_t n : kLengths) {
    std::vector<float> x(n);
    for (float& value : x) {  // any bits, or those of numbers that a half can hold
      const auto bits = static_cast<std::uint32_t>(random.next());
      value = std::bit_cast<float>(random.below(4) == 0 ? bits : (bits & 0x87ffffffu) + 0x30000000u);
    }
    const std::size_t size = gguf::type_info(row.to).block_bytes;
    std::vector<std::uint8_t> got(n * size), want(n * size);
    row.run({got.data(), x.data(), n});
    definition.run({want.data(), x.data(), n});
    if (auto fault = compare_all(got, want, "byte")) return fault;
  }
  return {};
}

}  // namespace armature::tools::verify
