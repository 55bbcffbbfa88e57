#include "kernels/peak_check.h"

#include <cstring>
#include <vector>

#include "gguf/compose.h"
#include "kernels/scalar/half.h"

namespace armature::kernels {
namespace {

constexpr int kPattern[] = {3, -5, 7, -1};
constexpr double kMean = 1;  // of the pattern
constexpr int kFactor = 2;

/// `numbers` over and over in all of out.
template <std::size_t kCount, class Convert>
void fill(unsigned char (&out)[kPeakOperandBytes], const int (&numbers)[kCount], const Convert& convert) {
  constexpr std::size_t kBytes = sizeof(convert(0));
  for (std::size_t i = 0; i < kPeakOperandBytes / kBytes; ++i) {
    const auto element = convert(numbers[i % kCount]);
    std::memcpy(out + i * kBytes, &element, kBytes);
  }
}

}  // namespace

PeakOperands::PeakOperands(Arithmetic kind) : memory_(std::make_unique<Memory>()) {
  const auto to_int8 = [](int x) { return static_cast<std::int8_t>(x); };
  const auto to_f32 = [](int x) { return static_cast<float>(x); };
  const auto to_bf16 = [](int x) { return scalar::bf16_from_f32(static_cast<float>(x)); };
  const auto fill_both = [&](const auto& convert) {
    fill(memory_->a, kPattern, convert);
    fill(memory_->b, {kFactor}, convert);
  };
  if (kind == Arithmetic::Int8) fill_both(to_int8);
  if (kind == Arithmetic::Bf16) fill_both(to_bf16);
  if (kind == Arithmetic::F32) fill_both(to_f32);
}

double PeakOperands::sum(double multiply_adds) const { return multiply_adds * kMean * kFactor; }

std::string_view name_of(Arithmetic kind) {
  switch (kind) {
    case Arithmetic::Int8:
      return "int8";
    case Arithmetic::Bf16:
      return "bf16";
    case Arithmetic::F32:
      return "f32";
  }
  return "unknown";
}

std::optional<std::string> check_peak_row(const PeakRow& row) {
  const PeakOperands operands(row.kind);
  for (const std::size_t rounds : {std::size_t{4}, std::size_t{1000}, kMaxPeakRounds}) {
    const PeakResult result = row.run(operands.args(rounds));
    const double expected = operands.sum(result.multiply_adds);
    if (result.multiply_adds < static_cast<double>(rounds) || result.sum != expected)
      return compose("{} multiply-adds in {} rounds have the sum {}, expected {}", result.multiply_adds,
                     rounds, result.sum, expected);
  }
  return std::nullopt;
}

std::optional<std::string> check_read_row(const ReadRow& row) {
  struct alignas(64) Line {
    std::uint64_t words[8];
  };
  constexpr std::size_t kWordsInLine = 8;
  std::vector<Line> lines(5 * kReadWords / kWordsInLine);
  std::uint64_t state = 1, expected = 0;
  for (Line& line : lines) {
    for (std::uint64_t& word : line.words) {
      state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
      word = state;
      expected ^= state;
    }
  }
  const std::uint64_t found = row.run({lines.front().words, lines.size() * kWordsInLine});
  if (found == expected) return std::nullopt;
  return compose("the exclusive or of {} numbers is {}, expected {}", lines.size() * kWordsInLine, found,
                 expected);
}

}  // namespace armature::kernels
