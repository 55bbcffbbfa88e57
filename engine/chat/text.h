#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/byte_range.h"

namespace armature::chat {

/// A string that knows which of its bytes came from the inputs of a rendering and which the template wrote.
/// The tokenizer takes control tokens only from the latter, so whatever builds text from text keeps the
/// difference; an operation that cannot follow single bytes marks its whole result as input.
class Text {
 public:
  enum class Origin : bool { written, input };  // written: by the template

  Text() = default;
  Text(std::string_view bytes, Origin origin) { append(bytes, origin); }

  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }

  /// The input bytes: sorted, not empty, neither overlapping nor touching.
  const std::vector<ByteRange>& input() const { return input_; }
  bool any_input() const { return !input_.empty(); }

  void append(std::string_view bytes, Origin origin);
  void append(const Text& other) { append(other, {0, other.size()}); }
  /// Appends the bytes `part` of `other`, which lies within it. Takes time in the bytes copied and the
  /// logarithm of the number of ranges.
  void append(const Text& other, ByteRange part);

  Text slice(ByteRange part) const;
  /// This text with other bytes of the same length, each with the origin of the byte it replaces.
  Text with_bytes(std::string bytes) const;
  /// `bytes` made from this text in a way that cannot be followed: all input if any of this is.
  Text derived(std::string_view bytes) const;

 private:
  void mark_input(ByteRange range);

  std::string bytes_;
  std::vector<ByteRange> input_;
};

}  // namespace armature::chat
