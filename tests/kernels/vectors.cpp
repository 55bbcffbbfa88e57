#include "tests/kernels/vectors.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace armature::test {

std::optional<std::vector<std::uint8_t>> read_vectors(const std::string& name) {
  std::ifstream file(kQuantVectors + name, std::ios::binary);
  if (!file) return std::nullopt;
  return std::vector<std::uint8_t>(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

template <class T>
std::vector<T> elements(std::span<const std::uint8_t> bytes, std::size_t offset, std::size_t count) {
  if (offset + count * sizeof(T) > bytes.size()) throw std::out_of_range("reference file too short");
  std::vector<T> result(count);
  std::memcpy(result.data(), bytes.data() + offset, count * sizeof(T));
  return result;
}

template std::vector<float> elements(std::span<const std::uint8_t>, std::size_t, std::size_t);
template std::vector<double> elements(std::span<const std::uint8_t>, std::size_t, std::size_t);
template std::vector<std::uint8_t> elements(std::span<const std::uint8_t>, std::size_t, std::size_t);
template std::vector<std::uint32_t> elements(std::span<const std::uint8_t>, std::size_t, std::size_t);

}  // namespace armature::test
