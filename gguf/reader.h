#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/metadata.h"
#include "gguf/types.h"

namespace armature::gguf {

/// One tensor of the table. The name is a view into the parsed bytes; data points into them.
struct TensorInfo {
  std::string_view name;
  std::array<std::uint64_t, 4>
      shape;             // outermost first, [rows, cols] for a matrix; the file lists it innermost first
  std::uint32_t n_dims;  // 1 to 4; only shape[0..n_dims) has meaning
  TensorType type;
  std::uint64_t info_offset;  // of this entry in the file's table
  std::uint64_t offset;       // of the data, from the start of the file
  std::uint64_t size;         // bytes of data
  const std::byte* data;

  std::uint64_t cols() const { return shape[n_dims - 1]; }  // innermost: weights of a row
  std::uint64_t rows() const {
    std::uint64_t r = 1;
    for (std::uint32_t i = 0; i + 1 < n_dims; ++i) r *= shape[i];
    return r;
  }
};

/// A parsed file: views into the bytes that were given to parse(). Immutable; read by any thread.
struct File {
  std::uint32_t version = 0;
  std::uint64_t alignment = 32;
  std::uint64_t data_start = 0;  // offset of the data section
  std::uint64_t size = 0;        // bytes given to parse()
  Metadata metadata;
  std::vector<TensorInfo> tensors;    // in table order
  std::vector<std::string> warnings;  // printable lines, e.g. bytes after the last tensor

  const std::string& name() const { return metadata.file(); }
};

/// Checks all of a file's structure: header, keys, alignment, tensor table, extent and overlap of the data.
/// Reads no weights and does no I/O; time is linear in the size of the metadata, and what it allocates is
/// below 4 times that plus 1 MiB. `file` is the name used in errors. Throws Error.
File parse(std::span<const std::byte> bytes, std::string_view file);

}  // namespace armature::gguf
