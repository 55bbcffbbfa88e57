#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gguf/metadata.h"

namespace armature::tools {

/// Arrays up to this length are shown in full even so.
inline constexpr std::size_t kLongArray = 1024;

/// An object of the keys, in file order, with their values. Unless `full`, an array of more than kLongArray
/// elements is {"type": "array of string", "count": N}. Floats that are not finite are null; bytes that are
/// not UTF-8 become U+FFFD when it is printed.
nlohmann::ordered_json metadata_json(const gguf::Metadata& metadata, bool full);

/// A line for each key: name, type, value, behind `indent` spaces. Unless `full`, texts are cut and of arrays
/// the first elements are shown.
std::string metadata_text(const gguf::Metadata& metadata, bool full, std::size_t indent);

}  // namespace armature::tools
