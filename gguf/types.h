#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace armature::gguf {

/// Element types of tensors, by their number in the file.
enum class TensorType : std::uint32_t {
  F32 = 0,
  F16 = 1,
  Q4_0 = 2,
  Q4_1 = 3,
  Q5_0 = 6,
  Q5_1 = 7,
  Q8_0 = 8,
  Q8_1 = 9,
  Q2_K = 10,
  Q3_K = 11,
  Q4_K = 12,
  Q5_K = 13,
  Q6_K = 14,
  Q8_K = 15,
  IQ2_XXS = 16,
  IQ2_XS = 17,
  IQ3_XXS = 18,
  IQ1_S = 19,
  IQ4_NL = 20,
  IQ3_S = 21,
  IQ2_S = 22,
  IQ4_XS = 23,
  I8 = 24,
  I16 = 25,
  I32 = 26,
  I64 = 27,
  F64 = 28,
  IQ1_M = 29,
  BF16 = 30,
  TQ1_0 = 34,
  TQ2_0 = 35,
  MXFP4 = 39,
};

/// A row of the type table. A tensor row of k weights is k / block_size blocks of block_bytes, without
/// padding.
struct TypeInfo {
  TensorType type;
  std::string_view name;     // as GGUF tools spell it, e.g. "Q4_K"
  std::uint32_t block_size;  // weights per block
  std::uint32_t block_bytes;
};

/// The type's row, or null when the number is none of the format's present types.
const TypeInfo* find_type(std::uint32_t number);
/// As find_type, for a type that the reader has already accepted.
const TypeInfo& type_info(TensorType type);
/// The name of a number that was once a type and no longer is (4, 5, 31-33, 36-38), or empty.
std::string_view removed_type_name(std::uint32_t number);
/// The type with this name, case-insensitive.
std::optional<TensorType> type_named(std::string_view name);

/// Bytes of a row of k weights; k must be a multiple of the block size.
std::size_t row_bytes(TensorType type, std::size_t k);

}  // namespace armature::gguf
