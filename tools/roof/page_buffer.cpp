#include "tools/roof/page_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/units.h"
#include "tools/roof/smaps.h"

namespace armature::tools::roof {
namespace {

bool advise(void* begin, std::size_t bytes, PageKind kind) {
#if defined(MADV_HUGEPAGE) && defined(MADV_NOHUGEPAGE)
  return ::madvise(begin, bytes, kind == PageKind::Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) == 0;
#else
  return false;
#endif
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return compose("{} of {}", binary_size_text(part), binary_size_text(whole));
}

}  // namespace

PageSizes page_sizes(std::size_t base, const machine::Pages& pages) {
  PageSizes sizes{base, 0, {}};
  if (pages.transparent.empty()) {
    sizes.why_no_huge = "the system has no transparent huge pages";
  } else if (pages.transparent == "never") {
    sizes.why_no_huge =
        "transparent huge pages are turned off (/sys/kernel/mm/transparent_hugepage/enabled: never)";
  } else if (pages.transparent_bytes == 0) {
    sizes.why_no_huge = "the system does not say how large its huge pages are";
  } else {
    sizes.huge = pages.transparent_bytes;
  }
  return sizes;
}

PageSizes page_sizes() {
  const long base = ::sysconf(_SC_PAGESIZE);
  return page_sizes(base > 0 ? static_cast<std::size_t>(base) : 4096, machine::pages("/"));
}

PageBuffer::PageBuffer(std::size_t bytes, PageKind kind, const PageSizes& sizes)
    : kind_(kind), page_bytes_(sizes.of(kind)), bytes_(bytes), mapped_bytes_(bytes + page_bytes_) {
  void* const memory =
      ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw Error(ErrorCode::out_of_memory,
                compose("no room for the {} that are read to measure memory", binary_size_text(bytes)));
  mapped_ = static_cast<std::byte*>(memory);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(mapped_) % page_bytes_;
  std::byte* const begin = mapped_ + (page_bytes_ - past) % page_bytes_;
  advised_ = advise(begin, bytes_, kind_);
  words_ = reinterpret_cast<std::uint64_t*>(begin);
}

PageBuffer::~PageBuffer() { ::munmap(mapped_, mapped_bytes_); }

std::optional<std::string> PageBuffer::fault() const {
  constexpr double kEnough = 0.95;  // of the buffer
  const auto found = residence(std::as_bytes(words()));
  if (kind_ == PageKind::Base) {
    if (advised_ || !found || found->huge == 0) return std::nullopt;
    return compose("{} lie in huge pages", share_text(found->huge, bytes_));
  }
  if (!advised_) return "the system refuses huge pages for this memory";
  if (!found) return "the system does not say in which pages memory lies (/proc/self/smaps)";
  if (static_cast<double>(found->huge) >= kEnough * static_cast<double>(bytes_)) return std::nullopt;
  return compose("the system gave {} in huge pages", share_text(found->huge, bytes_));
}

}  // namespace armature::tools::roof
