#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace armature {

/// A piece of text or a number in the one form that it has in messages: decimal, or the shortest digits that
/// give the same floating-point value. No locale takes part.
class TextArg {
 public:
  TextArg(std::string_view text) : text_(text) {}
  TextArg(const std::string& text) : text_(text) {}
  TextArg(const char* text) : text_(text) {}
  template <class T>
  requires std::integral<T> || std::floating_point<T> TextArg(T value) {
    const auto end = std::to_chars(digits_.data(), digits_.data() + digits_.size(), value).ptr;
    n_digits_ = static_cast<std::size_t>(end - digits_.data());
  }

  std::string_view text() const {
    return n_digits_ > 0 ? std::string_view{digits_.data(), n_digits_} : text_;
  }

 private:
  std::string_view text_;
  std::array<char, 32> digits_{};  // the longest double has 24
  std::size_t n_digits_ = 0;
};

/// The pattern with each "{}" replaced by the next argument; there must be as many. The pattern is ours,
/// never text from a file.
std::string compose_span(std::string_view pattern, std::span<const TextArg> args);
template <class... Args>
std::string compose(std::string_view pattern, const Args&... args) {
  const std::array<TextArg, sizeof...(Args)> list = {TextArg(args)...};
  return compose_span(pattern, list);
}

/// Lower-case hexadecimal with "0x".
std::string hex(std::uint64_t value);

}  // namespace armature
