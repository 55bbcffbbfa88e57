#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The small texts that the kernel shows in /proc and /sys.
namespace armature::machine {

/// All of it; empty when it is missing or cannot be read.
std::string read_file(const std::filesystem::path& path);
/// The names in a folder, those with a dot in front left out; none where it cannot be read. Throws what
/// `visit` throws (std::filesystem's iterators end the process when an allocation fails).
void for_each_name(const char* folder, const std::function<void(std::string_view name)>& visit);
/// The entries of a folder whose names are a number between `prefix` and `suffix`, by number.
std::map<std::size_t, std::filesystem::path> numbered(const std::filesystem::path& folder,
                                                      std::string_view prefix, std::string_view suffix = "");
/// Without spaces and line ends on both sides.
std::string_view trimmed(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);

/// The whole of a text, but for spaces around it, as a number.
template <class Int>
std::optional<Int> parse(std::string_view text, int base = 10) {
  text = trimmed(text);
  Int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class Int>
std::optional<Int> read_number(const std::filesystem::path& path) {
  return parse<Int>(read_file(path));
}

/// The number after `key` at the start of a line: "key 12", or "key:   12 kB", which is in units of 1024.
std::optional<std::uint64_t> read_field(const std::filesystem::path& path, std::string_view key);

}  // namespace armature::machine
