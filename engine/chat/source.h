#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace armature::chat {

/// Deepest nesting of a template's blocks and expressions together, and of calls of its macros.
inline constexpr std::size_t kMaxNesting = 64;

/// The text of a template, UTF-8 with "\n" for every line end, and its name for messages.
struct Source {
  std::string name;
  std::string text;

  /// Throws Error bad_template: "NAME: line 3, column 14: PROBLEM" for the byte `offset` of the text.
  [[noreturn]] void fail(std::size_t offset, std::string_view problem) const;
};

/// A source from the bytes of a file: line ends made "\n", one at the very end dropped. Throws Error
/// bad_template for bytes that are not UTF-8.
Source read_source(std::string_view bytes, std::string_view name);

}  // namespace armature::chat
