#pragma once

#include <filesystem>
#include <string>

#include "tests/support/temp_dir.h"

namespace armature::test {

/// A made-up /proc and /sys.
class MachineRoot {
 public:
  std::filesystem::path root() const { return folder_.path(""); }
  /// Writes a file, e.g. "proc/meminfo", with the folders that lead to it.
  void write(const std::filesystem::path& path, const std::string& text) const;

 private:
  TempDir folder_;
};

}  // namespace armature::test
