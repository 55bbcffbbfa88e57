#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "engine/kernel_plan.h"

namespace armature::tools {

/// As -ctk and -ctv spell it: "f16".
std::string cache_type_name(gguf::TensorType type);

/// An array of objects: operation, type, rows ("few rows", ...), kernel, tensors, bytes, and not_taken, an
/// array of {kernel, reason}. What an operation does not have is null.
nlohmann::ordered_json kernels_json(std::span<const KernelChoice> kernels);
/// A table with a line for each, behind `indent` spaces. `masked_by` is what masks features.
std::string kernels_text(std::span<const KernelChoice> kernels, std::string_view masked_by,
                         std::size_t indent);

}  // namespace armature::tools
