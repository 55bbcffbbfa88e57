#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/parallel.h"
#include "kernels/kernels.h"
#include "tools/roof/page_buffer.h"
#include "tools/roof/timing.h"

namespace armature::tools::roof {

/// With what roofs are measured.
struct Tools {
  Team& team;
  Clock now;
  std::function<bool()> stop;
};

/// How much memory is read. Caches must hold little of it, and to write it takes a while.
enum class BufferSize : std::uint8_t {
  Large,  // 4 times the last-level caches up to 1 GiB, in any case twice
  Small,  // twice up to 512 MiB, in any case once
};
/// In bytes, whole huge pages: at least 256 MiB and 4 MiB for each thread, at most half of the `available`
/// memory. Throws Error out_of_memory if that is less than the caches, or 64 MiB.
std::size_t read_buffer_bytes(BufferSize size, std::size_t last_level_caches, std::size_t n_threads,
                              std::size_t available, std::size_t huge_page);
/// Of all CPUs that the process may run on, together; 0 where the system does not say.
std::size_t last_level_cache_bytes();

/// Memory that threads have written, each its part, so that it lies near to them.
class ReadBuffer {
 public:
  /// Throws Error out_of_memory.
  ReadBuffer(PageKind kind, const PageSizes& sizes, std::size_t bytes, std::size_t n_threads, Team& team);

  std::size_t bytes() const { return pages_.words().size_bytes(); }
  /// Why it does not lie in pages of its kind; nothing if it does.
  std::optional<std::string> fault() const { return pages_.fault(); }
  /// What thread `index` of n_threads reads in piece `piece` of n_pieces.
  std::span<const std::uint64_t> part(std::size_t index, std::size_t n_threads, std::size_t piece = 0,
                                      std::size_t n_pieces = 1) const;
  std::uint64_t sum() const { return sum_; }  // all words, exclusive-ored

 private:
  PageBuffer pages_;
  std::uint64_t sum_ = 0;
};

/// Bytes a second.
struct ReadRoof {
  std::size_t n_threads = 1;
  double best = 0, median = 0;
  std::size_t passes = 0;
};
/// All is read once, and checked; then a pass reads the next piece of the buffer, of at least 32 MiB and 4
/// MiB for each thread, and has ended when the last thread is done with its part. Nothing when it was
/// interrupted. Throws Error bad_value when the row does not see what was written.
std::optional<ReadRoof> measure_read(const kernels::ReadRow& row, const ReadBuffer& buffer,
                                     std::size_t n_threads, const PassLimits& limits, const Tools& tools);

}  // namespace armature::tools::roof
