#include "tools/synth/weight_source.h"

#include <algorithm>
#include <cmath>

#include "tools/random.h"
#include "tools/synth/weight_types.h"

namespace armature::tools::synth {
namespace {

// Blocks of a pool: the largest prime below 2^16, and for numbers without blocks the largest below 2^20.
constexpr std::size_t kPoolBlocks = 65521;
constexpr std::size_t kPoolNumbers = 1048573;

/// Another one for each pair of numbers.
Random random_for(std::uint64_t a, std::uint64_t b) { return Random(Random(kSeed + (a << 32)).next() + b); }

/// The factors of Llama 3.1's scaling, by which the frequencies of RoPE are divided: 1 for wavelengths below
/// n / 4, `factor` above n, and in between a frequency that goes from one to the other in a straight line
/// over n / wavelength; n = 8192, the context of the training before. (Transformers, modeling_rope_utils,
/// "llama3", with the low_freq_factor 1 and high_freq_factor 4 of all the models.)
std::vector<float> rope_factors(const Shape& shape) {
  constexpr double kPi = 3.14159265358979323846, kContext = 8192, kLow = 1, kHigh = 4;
  std::vector<float> factors;
  for (std::uint32_t i = 0; i < shape.head_dim / 2; ++i) {
    const double wavelength = 2 * kPi * std::pow(shape.rope_base, 2.0 * i / shape.head_dim);
    const double share = std::clamp((kContext / wavelength - kLow) / (kHigh - kLow), 0.0, 1.0);
    factors.push_back(static_cast<float>(1 / ((1 - share) / shape.rope_factor + share)));
  }
  return factors;
}

}  // namespace

bool WeightSource::write(const Tensor& tensor, std::size_t index, const Sink& sink) {
  if (tensor.contents == Contents::Matrix) return write_matrix(tensor, index, sink);
  const std::vector<float> values = vector(tensor, index);
  return sink(std::as_bytes(std::span(values)));
}

std::vector<float> WeightSource::vector(const Tensor& tensor, std::size_t index) const {
  if (tensor.contents == Contents::RopeFactors) return rope_factors(shape_);
  Random random = random_for(1, index);
  std::vector<float> values(tensor.count());
  const double center = tensor.contents == Contents::Norm ? 1 : 0;
  for (float& value : values) value = static_cast<float>(center + random.signed_unit() / 16);
  return values;
}

std::span<const std::byte> WeightSource::pool(gguf::TensorType type, std::uint64_t cols) {
  const auto [at, is_new] = pools_.try_emplace({type, cols});
  if (is_new) {
    const gguf::TypeInfo& info = gguf::type_info(type);
    at->second.resize((info.block_size == 1 ? kPoolNumbers : kPoolBlocks) * info.block_bytes);
    Random random = random_for(2 + static_cast<std::uint64_t>(type), cols);
    fill_blocks(at->second, type, 1 / std::sqrt(static_cast<double>(cols)), random);
  }
  return at->second;
}

bool WeightSource::write_matrix(const Tensor& tensor, std::size_t index, const Sink& sink) {
  const std::span<const std::byte> blocks = pool(tensor.type, tensor.shape.back());
  const std::size_t block_bytes = gguf::type_info(tensor.type).block_bytes;
  std::size_t at = random_for(0, index).next() % (blocks.size() / block_bytes) * block_bytes;
  for (std::uint64_t left = tensor.bytes(); left > 0;) {
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(left, blocks.size() - at));
    if (!sink(blocks.subspan(at, n))) return false;
    left -= n;
    at = 0;
  }
  return true;
}

}  // namespace armature::tools::synth
