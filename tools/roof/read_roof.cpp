#include "tools/roof/read_roof.h"

#include <sys/mman.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/units.h"

namespace armature::tools::roof {
namespace {

constexpr std::size_t kMiB = 1 << 20;
// Of a pass: long beside the moments in which not all threads are at work, short beside the time slices of a
// busy machine.
constexpr std::size_t kLeastPiece = 32 * kMiB, kLeastPart = 4 * kMiB;

/// Of the smallest pages that there are. Parts consist of whole ones, and a word in each is written.
constexpr std::size_t kPageWords = 4096 / sizeof(std::uint64_t);
static_assert(kPageWords % kernels::kReadWords == 0);

/// Commits the memory and puts a number into every page. Returns the exclusive or of them all.
std::uint64_t write(std::span<std::uint64_t> words, std::uint64_t seed) {
#if defined(MADV_POPULATE_WRITE)
  // Takes half the time where page faults are dear; where it is refused, the loop does the same.
  static_cast<void>(::madvise(words.data(), words.size_bytes(), MADV_POPULATE_WRITE));
#endif
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < words.size(); i += kPageWords) {
    words[i] = (seed + i) * 0x9e3779b97f4a7c15;  // any odd number mixes well enough
    sum ^= words[i];
  }
  return sum;
}

std::size_t rounded_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

std::size_t read_buffer_bytes(BufferSize size, std::size_t last_level_caches, std::size_t n_threads,
                              std::size_t available, std::size_t huge_page) {
  const bool large = size == BufferSize::Large;
  const std::size_t most_times = large ? 4 : 2, least_times = large ? 2 : 1;
  const std::size_t wanted = std::min(most_times * last_level_caches, (large ? 1024 : 512) * kMiB);
  const std::size_t want =
      std::max({256 * kMiB, wanted, least_times * last_level_caches, 4 * kMiB * n_threads});
  const std::size_t unit = std::max(huge_page, kMiB);
  const std::size_t bytes = std::min(rounded_up(want, unit), available / 2 / unit * unit);
  const std::size_t least = std::max(last_level_caches, 64 * kMiB);
  if (bytes < least)
    throw Error(
        ErrorCode::out_of_memory,
        compose("reading memory is measured on more than the last-level caches hold, {} at least; there "
                "is room for {}",
                binary_size_text(least), binary_size_text(bytes)));
  return bytes;
}

std::size_t last_level_cache_bytes() {
  std::vector<machine::Cache> caches = machine::caches("/", allowed_cpus());
  if (caches.empty()) caches = machine::caches_known_to_libc();
  std::size_t level = 0, bytes = 0;
  for (const machine::Cache& cache : caches) level = std::max(level, cache.level);
  for (const machine::Cache& cache : caches)
    if (cache.level == level && cache.type != "instruction")
      bytes += cache.bytes * std::max<std::size_t>(cache.count, 1);
  return bytes;
}

ReadBuffer::ReadBuffer(PageKind kind, const PageSizes& sizes, std::size_t bytes, std::size_t n_threads,
                       Team& team)
    : pages_(bytes, kind, sizes) {
  std::vector<std::uint64_t> sums(n_threads);
  team.run(n_threads, [&](Team::Worker& worker) {
    const auto mine = part(worker.index(), n_threads);
    std::uint64_t* const first = pages_.words().data() + (mine.data() - pages_.words().data());
    sums[worker.index()] = write({first, mine.size()}, worker.index() + 1);
  });
  for (const std::uint64_t sum : sums) sum_ ^= sum;
}

std::span<const std::uint64_t> ReadBuffer::part(std::size_t index, std::size_t n_threads, std::size_t piece,
                                                std::size_t n_pieces) const {
  const std::size_t n_parts = n_threads * n_pieces, part = index * n_pieces + piece;
  const std::size_t n_pages = pages_.words().size() / kPageWords;
  const std::size_t first = n_pages * part / n_parts, end = n_pages * (part + 1) / n_parts;
  return pages_.words().subspan(first * kPageWords, (end - first) * kPageWords);
}

std::optional<ReadRoof> measure_read(const kernels::ReadRow& row, const ReadBuffer& buffer,
                                     std::size_t n_threads, const PassLimits& limits, const Tools& tools) {
  std::vector<std::uint64_t> sums(n_threads);
  const auto read = [&](std::size_t piece, std::size_t n_pieces) {
    const auto read_part = [&](std::size_t index) {
      const auto words = buffer.part(index, n_threads, piece, n_pieces);
      sums[index] = row.run({words.data(), words.size()});
    };
    return time_together(tools.team, n_threads, read_part, tools.now);
  };
  read(0, 1);
  if (std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}, std::bit_xor()) != buffer.sum())
    throw Error(ErrorCode::bad_value,
                compose("the row read {} of the kernels did not see what was written to memory", row.name));

  const std::size_t piece_bytes = std::max(kLeastPiece, kLeastPart * n_threads);
  const std::size_t n_pieces = std::max<std::size_t>(buffer.bytes() / piece_bytes, 1);
  std::size_t next = 0;
  const auto timing =
      time_passes([&] { return read(next++ % n_pieces, n_pieces); }, limits, tools.now, tools.stop);
  if (!timing) return std::nullopt;
  const double n_bytes = static_cast<double>(buffer.bytes()) / static_cast<double>(n_pieces);
  return ReadRoof{n_threads, rate(n_bytes, timing->best), rate(n_bytes, timing->median), timing->passes};
}

}  // namespace armature::tools::roof
