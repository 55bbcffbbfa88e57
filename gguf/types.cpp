#include "gguf/types.h"

#include <algorithm>
#include <cassert>

#include "gguf/blocks.h"

namespace armature::gguf {
namespace {

// Numbers and sizes: the format's text; sizes of blocks that have a struct are those of gguf/blocks.h.
constexpr TypeInfo kTypes[] = {
    {TensorType::F32, "F32", 1, 4},
    {TensorType::F16, "F16", 1, 2},
    {TensorType::Q4_0, "Q4_0", kBlock, sizeof(BlockQ4_0)},
    {TensorType::Q4_1, "Q4_1", kBlock, sizeof(BlockQ4_1)},
    {TensorType::Q5_0, "Q5_0", kBlock, sizeof(BlockQ5_0)},
    {TensorType::Q5_1, "Q5_1", kBlock, sizeof(BlockQ5_1)},
    {TensorType::Q8_0, "Q8_0", kBlock, sizeof(BlockQ8_0)},
    {TensorType::Q8_1, "Q8_1", kBlock, 36},
    {TensorType::Q2_K, "Q2_K", kSuperBlock, sizeof(BlockQ2_K)},
    {TensorType::Q3_K, "Q3_K", kSuperBlock, sizeof(BlockQ3_K)},
    {TensorType::Q4_K, "Q4_K", kSuperBlock, sizeof(BlockQ4_K)},
    {TensorType::Q5_K, "Q5_K", kSuperBlock, sizeof(BlockQ5_K)},
    {TensorType::Q6_K, "Q6_K", kSuperBlock, sizeof(BlockQ6_K)},
    {TensorType::Q8_K, "Q8_K", kSuperBlock, 292},
    {TensorType::IQ2_XXS, "IQ2_XXS", kSuperBlock, 66},
    {TensorType::IQ2_XS, "IQ2_XS", kSuperBlock, 74},
    {TensorType::IQ3_XXS, "IQ3_XXS", kSuperBlock, 98},
    {TensorType::IQ1_S, "IQ1_S", kSuperBlock, 50},
    {TensorType::IQ4_NL, "IQ4_NL", kBlock, sizeof(BlockIQ4_NL)},
    {TensorType::IQ3_S, "IQ3_S", kSuperBlock, 110},
    {TensorType::IQ2_S, "IQ2_S", kSuperBlock, 82},
    {TensorType::IQ4_XS, "IQ4_XS", kSuperBlock, sizeof(BlockIQ4_XS)},
    {TensorType::I8, "I8", 1, 1},
    {TensorType::I16, "I16", 1, 2},
    {TensorType::I32, "I32", 1, 4},
    {TensorType::I64, "I64", 1, 8},
    {TensorType::F64, "F64", 1, 8},
    {TensorType::IQ1_M, "IQ1_M", kSuperBlock, 56},
    {TensorType::BF16, "BF16", 1, 2},
    {TensorType::TQ1_0, "TQ1_0", kSuperBlock, 54},
    {TensorType::TQ2_0, "TQ2_0", kSuperBlock, 66},
    {TensorType::MXFP4, "MXFP4", kBlock, 17},
};

struct RemovedType {
  std::uint32_t number;
  std::string_view name;
};
constexpr RemovedType kRemovedTypes[] = {
    {4, "Q4_2"},      {5, "Q4_3"},        {31, "Q4_0_4_4"},   {32, "Q4_0_4_8"},
    {33, "Q4_0_8_8"}, {36, "IQ4_NL_4_4"}, {37, "IQ4_NL_4_8"}, {38, "IQ4_NL_8_8"},
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

const TypeInfo* find_type(std::uint32_t number) {
  const auto at = std::find_if(std::begin(kTypes), std::end(kTypes), [number](const TypeInfo& info) {
    return static_cast<std::uint32_t>(info.type) == number;
  });
  return at == std::end(kTypes) ? nullptr : at;
}

const TypeInfo& type_info(TensorType type) {
  const TypeInfo* info = find_type(static_cast<std::uint32_t>(type));
  assert(info != nullptr);
  return *info;
}

std::string_view removed_type_name(std::uint32_t number) {
  const auto at = std::find_if(std::begin(kRemovedTypes), std::end(kRemovedTypes),
                               [number](const RemovedType& type) { return type.number == number; });
  return at == std::end(kRemovedTypes) ? std::string_view{} : at->name;
}

std::optional<TensorType> type_named(std::string_view name) {
  for (const TypeInfo& info : kTypes) {
    const bool same = std::equal(name.begin(), name.end(), info.name.begin(), info.name.end(),
                                 [](char a, char b) { return lower(a) == lower(b); });
    if (same) return info.type;
  }
  return std::nullopt;
}

std::size_t row_bytes(TensorType type, std::size_t k) {
  const TypeInfo& info = type_info(type);
  assert(k % info.block_size == 0);
  return k / info.block_size * info.block_bytes;
}

}  // namespace armature::gguf
