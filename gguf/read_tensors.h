#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gguf/cursor.h"
#include "gguf/reader.h"

namespace armature::gguf {

/// Reads and checks a table of n tensors from `in` on; `in` then stands after the last. The offsets of the
/// result are those of the table, relative to the data section; data is null.
std::vector<TensorInfo> read_tensors(Cursor& in, std::uint64_t n, std::uint64_t alignment);

/// Checks that the data of the tensors is aligned, inside the file and apart from each other, and makes
/// offset and data those of the file, the bytes of `in`. Returns warnings.
std::vector<std::string> place_tensors(std::span<TensorInfo> tensors, const Cursor& in,
                                       std::uint64_t data_start, std::uint64_t alignment);

}  // namespace armature::gguf
