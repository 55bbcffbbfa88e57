#include "tools/cli/protected_files.h"

#include <map>
#include <utility>

namespace armature::tools {
namespace {

std::map<std::pair<dev_t, ino_t>, std::string>& protected_files() {
  static std::map<std::pair<dev_t, ino_t>, std::string> files;
  return files;
}

}  // namespace

void protect_file(const std::string& path, std::string_view why) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) == 0) protected_files().emplace(std::pair(file.st_dev, file.st_ino), why);
}

std::string_view protection(const struct stat& file) {
  const auto found = protected_files().find({file.st_dev, file.st_ino});
  return found == protected_files().end() ? std::string_view() : found->second;
}

}  // namespace armature::tools
