#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/machine_hardware.h"

namespace armature::tools::roof {

/// Whether memory lies in the system's ordinary pages or in transparent huge ones.
enum class PageKind : std::uint8_t { Base, Huge };

/// The pages that this system has.
struct PageSizes {
  std::size_t base = 4096;
  std::size_t huge = 0;     // of a transparent huge page; 0: there are none
  std::string why_no_huge;  // where huge is 0
  std::size_t of(PageKind kind) const { return kind == PageKind::Base ? base : huge; }
};
PageSizes page_sizes(std::size_t base, const machine::Pages& pages);
PageSizes page_sizes();  // of this machine

/// Memory that the system commits page by page when it is first written, in pages of one kind as far as the
/// system gives them. It begins at a multiple of the page's size.
class PageBuffer {
 public:
  /// Throws Error out_of_memory.
  PageBuffer(std::size_t bytes, PageKind kind, const PageSizes& sizes);
  ~PageBuffer();
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;

  std::span<std::uint64_t> words() const { return {words_, bytes_ / sizeof(std::uint64_t)}; }
  std::size_t page_bytes() const { return page_bytes_; }
  /// Why the memory, which has been written, does not lie in pages of its kind; nothing if it does.
  std::optional<std::string> fault() const;

 private:
  PageKind kind_;
  std::size_t page_bytes_, bytes_;
  std::byte* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::uint64_t* words_ = nullptr;
  bool advised_ = false;
};

}  // namespace armature::tools::roof
