#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gguf/bytes.h"
#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::gguf {

/// A place in the bytes of a file that only moves forward and never past the end, and that knows what is
/// being read, for errors.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  std::uint64_t offset() const { return at_; }
  std::uint64_t left() const { return bytes_.size() - at_; }
  std::uint64_t size() const { return bytes_.size(); }
  const std::byte* here() const { return at(at_); }
  const std::byte* at(std::uint64_t offset) const { return bytes_.data() + offset; }

  /// The key or tensor that errors name from now on, as its index and, once known, its name. Costs nothing
  /// until there is an error.
  void set_item(std::string_view kind, std::uint64_t index) { kind_ = kind, index_ = index, name_ = {}; }
  void set_item_name(std::string_view name) { name_ = name; }

  /// Error too_short unless n bytes are left for `what`, a field that starts here.
  void need(std::uint64_t n, std::string_view what) const {
    if (n > left())
      throw error(ErrorCode::too_short, at_, compose("{} needs {} bytes; {} are left", what, n, left()));
  }
  template <class T>
  T read(std::string_view what) {
    static_assert(std::is_integral_v<T>);
    need(sizeof(T), what);
    const T value = load<T>(here());
    at_ += sizeof(T);
    return value;
  }
  /// The next n bytes as text; need() must have been asked.
  std::string_view take(std::uint64_t n) {
    const std::string_view text = as_text(here(), n);
    at_ += n;
    return text;
  }
  void skip(std::uint64_t n) { at_ += n; }

  Error error(ErrorCode code, std::uint64_t offset, std::string_view problem) const {
    return Error(code, {std::string(file_), offset, item()}, problem);
  }

 private:
  std::string item() const {
    if (kind_.empty()) return {};
    return name_.empty() ? compose("{} {}", kind_, index_) : compose("{} {} {}", kind_, index_, quote(name_));
  }

  std::span<const std::byte> bytes_;
  std::string_view file_;
  std::uint64_t at_ = 0;
  std::string_view kind_;
  std::uint64_t index_ = 0;
  std::string_view name_;
};

}  // namespace armature::gguf
