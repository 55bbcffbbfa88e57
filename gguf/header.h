#pragma once

#include <cstdint>

#include "gguf/cursor.h"

namespace armature::gguf {

/// The fixed part at the start of a file.
struct Header {
  std::uint32_t version;
  std::uint64_t n_tensors;
  std::uint64_t n_keys;
};

/// Reads it and checks magic, version, and that the file has room for what the counts say.
Header read_header(Cursor& in);

}  // namespace armature::gguf
