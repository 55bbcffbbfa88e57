#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Access to the reference data vectors/quant, which is too large for the repository.
namespace armature::test {

inline constexpr const char* kQuantVectors = ARMATURE_TEST_DATA "/vectors/quant/";

/// The bytes of a file, or nothing when it is not there.
std::optional<std::vector<std::uint8_t>> read_vectors(const std::string& name);

/// `count` little-endian elements at byte `offset`; throws std::out_of_range beyond the end.
template <class T>
std::vector<T> elements(std::span<const std::uint8_t> bytes, std::size_t offset, std::size_t count);

extern template std::vector<float> elements(std::span<const std::uint8_t>, std::size_t, std::size_t);
extern template std::vector<double> elements(std::span<const std::uint8_t>, std::size_t, std::size_t);
extern template std::vector<std::uint8_t> elements(std::span<const std::uint8_t>, std::size_t, std::size_t);
extern template std::vector<std::uint32_t> elements(std::span<const std::uint8_t>, std::size_t, std::size_t);

}  // namespace armature::test
