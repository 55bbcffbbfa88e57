#include "gguf/reader.h"

#include <bit>
#include <limits>

#include "gguf/checked.h"
#include "gguf/compose.h"
#include "gguf/cursor.h"
#include "gguf/header.h"
#include "gguf/read_keys.h"
#include "gguf/read_tensors.h"

namespace armature::gguf {
namespace {

constexpr std::string_view kAlignmentKey = "general.alignment";
constexpr std::uint64_t kDefaultAlignment = 32;        // the format's text
constexpr std::uint64_t kLargestAlignment = 1u << 20;  // our limit; files in use have 32

std::uint64_t read_alignment(const Metadata& metadata) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t alignment = metadata.find_uint(kAlignmentKey, 0, kAny).value_or(kDefaultAlignment);
  if (!std::has_single_bit(alignment) || alignment > kLargestAlignment)
    throw metadata.error(
        ErrorCode::bad_alignment, kAlignmentKey,
        compose("alignment {}; a power of two from 1 to {} is needed", alignment, kLargestAlignment));
  return alignment;
}

}  // namespace

File parse(std::span<const std::byte> bytes, std::string_view file) {
  Cursor in(bytes, file);
  const Header header = read_header(in);
  File out;
  out.version = header.version;
  out.size = bytes.size();
  out.metadata = read_keys(in, header.n_keys, file);
  out.alignment = read_alignment(out.metadata);
  out.tensors = read_tensors(in, header.n_tensors, out.alignment);
  out.data_start = *round_up(in.offset(), out.alignment);  // fits: no file is near 2^64 bytes
  out.warnings = place_tensors(out.tensors, in, out.data_start, out.alignment);
  return out;
}

}  // namespace armature::gguf
