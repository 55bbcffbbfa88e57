#include "engine/machine_text.h"

#include <dirent.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

namespace armature::machine {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void for_each_name(const char* folder, const std::function<void(std::string_view name)>& visit) {
  const auto close = [](DIR* entries) { ::closedir(entries); };
  const std::unique_ptr<DIR, decltype(close)> entries(::opendir(folder), close);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get()))
    if (entry->d_name[0] != '.') visit(entry->d_name);
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
