#include "tests/support/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace armature::test {
namespace {

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

GuardedPages::GuardedPages(std::size_t bytes) : size_((bytes / page_size() + 1) * page_size()) {
  void* map = mmap(nullptr, size_ + page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  begin_ = static_cast<std::uint8_t*>(map);
  mprotect(begin_ + size_, page_size(), PROT_NONE);
  std::memset(begin_, kPoison, size_);
}

GuardedPages::~GuardedPages() {
  if (begin_) munmap(begin_, size_ + page_size());
}

}  // namespace armature::test
