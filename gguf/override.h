#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/metadata.h"

namespace armature::gguf {

inline constexpr std::string_view kArchitecturePrefix = "{arch}.";

/// A key's value that the user gives in place of the file's, or where the file has none.
struct KeyOverride {
  std::string key;               // kArchitecturePrefix in front stands for the file's general.architecture
  ValueType type;                // I64, F64, Bool or String
  std::vector<std::byte> value;  // as the file would hold it; of a string its bytes
};

/// Reads KEY=TYPE:VALUE with TYPE one of int, float, bool, str, e.g. "tokenizer.ggml.pre=str:llama-bpe".
/// Throws Error bad_argument, which says what is wrong with the text.
KeyOverride parse_override(std::string_view text);

}  // namespace armature::gguf
