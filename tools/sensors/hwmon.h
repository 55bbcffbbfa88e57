#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace armature::tools {

/// A value that a chip of hwmon shows (Documentation/hwmon/sysfs-interface.rst).
struct HwmonFile {
  std::string chip;   // "amd_energy"
  std::string label;  // "Esocket0"; empty where it has none
  std::filesystem::path file;
};
/// The files "<what><n>_<item>" of all chips, for each n the first of `items` that is there, by chip and n.
std::vector<HwmonFile> hwmon_files(const std::filesystem::path& root, std::string_view what,
                                   const std::vector<std::string_view>& items);

}  // namespace armature::tools
