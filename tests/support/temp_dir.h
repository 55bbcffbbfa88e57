#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "tests/support/tiny_model.h"

namespace armature::test {

/// A new empty folder, removed with all that is in it at the end of its scope.
class TempDir {
 public:
  TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir();

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::span<const std::byte> bytes) const;
  std::string write(const std::string& name, std::string_view text) const;
  std::string write(const std::string& name, const TinyModel& model) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace armature::test
