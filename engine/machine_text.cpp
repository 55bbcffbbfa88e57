#include "engine/machine_text.h"

#include <dirent.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

namespace armature::machine {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part;
  // Not with iterators over the buffer: they throw where the kernel refuses to read an open file.
  do {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  } while (in);
  return text;
}

void for_each_name(const char* folder, const std::function<void(std::string_view name)>& visit) {
  const auto close = [](DIR* entries) { ::closedir(entries); };
  const std::unique_ptr<DIR, decltype(close)> entries(::opendir(folder), close);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get()))
    if (entry->d_name[0] != '.') visit(entry->d_name);
}

std::map<std::size_t, fs::path> numbered(const fs::path& folder, std::string_view prefix,
                                         std::string_view suffix) {
  std::map<std::size_t, fs::path> entries;
  for_each_name(folder.c_str(), [&](std::string_view name) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) return;
    const std::size_t n_digits = name.size() - std::min(name.size(), prefix.size() + suffix.size());
    if (const auto number = parse<std::size_t>(name.substr(prefix.size(), n_digits)))
      entries.emplace(*number, folder / name);
  });
  return entries;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n";
  const std::size_t first = std::min(text.find_first_not_of(kSpace), text.size());
  return text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) parts.push_back(std::move(part));
  return parts;
}

std::optional<std::uint64_t> read_field(const fs::path& path, std::string_view key) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, number, unit;
    words >> name >> number >> unit;
    if (name != key) continue;
    const auto value = parse<std::uint64_t>(number);
    return value && unit == "kB" ? *value * 1024 : value;
  }
  return std::nullopt;
}

}  // namespace armature::machine
