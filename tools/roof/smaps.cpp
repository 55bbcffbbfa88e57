#include "tools/roof/smaps.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

namespace armature::tools::roof {
namespace {

struct Range {
  std::uint64_t begin, end;
};

/// Of a line such as "7f0000000000-7f0000200000 rw-p ...".
std::optional<Range> range_of(std::string_view line) {
  constexpr int kHexadecimal = 16;
  Range range{};
  const char* const end = line.data() + line.size();
  const auto first = std::from_chars(line.data(), end, range.begin, kHexadecimal);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, range.end, kHexadecimal);
  if (second.ec != std::errc() || second.ptr == end || *second.ptr != ' ') return std::nullopt;
  return range;
}

/// The bytes of a line such as "Rss:     2048 kB" if it has this name, else 0.
std::uint64_t bytes_of(std::string_view line, std::string_view name) {
  if (!line.starts_with(name)) return 0;
  line.remove_prefix(name.size());
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::uint64_t kilobytes = 0;
  std::from_chars(line.data(), line.data() + line.size(), kilobytes);
  return kilobytes * 1024;
}

}  // namespace

std::optional<Residence> residence(std::string_view smaps, std::span<const std::byte> bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  std::optional<Residence> sum;
  bool counts = false;
  while (!smaps.empty()) {
    const std::size_t end = std::min(smaps.find('\n'), smaps.size());
    const std::string_view line = smaps.substr(0, end);
    smaps.remove_prefix(std::min(end + 1, smaps.size()));
    if (const auto range = range_of(line)) {
      counts = range->begin < begin + bytes.size() && begin < range->end;
      if (counts && !sum) sum.emplace();
    } else if (counts) {
      sum->resident += bytes_of(line, "Rss:");
      for (const std::string_view name : {"AnonHugePages:", "ShmemPmdMapped:", "FilePmdMapped:"})
        sum->huge += bytes_of(line, name);
    }
  }
  return sum;
}

std::optional<Residence> residence(std::span<const std::byte> bytes) {
  std::ifstream in("/proc/self/smaps");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return residence(text, bytes);
}

}  // namespace armature::tools::roof
