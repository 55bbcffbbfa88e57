#include "tools/cli/protected_files.h"

#include <set>
#include <utility>

namespace armature::tools {
namespace {

std::set<std::pair<dev_t, ino_t>>& protected_files() {
  static std::set<std::pair<dev_t, ino_t>> files;
  return files;
}

}  // namespace

void protect_file(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) == 0) protected_files().emplace(file.st_dev, file.st_ino);
}

bool is_protected(const struct stat& file) { return protected_files().count({file.st_dev, file.st_ino}) > 0; }

}  // namespace armature::tools
