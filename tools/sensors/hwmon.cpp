#include "tools/sensors/hwmon.h"

#include <map>

#include "engine/machine_text.h"
#include "gguf/compose.h"

namespace armature::tools {

namespace fs = std::filesystem;

namespace {

std::string line_of(const fs::path& file) { return std::string(machine::trimmed(machine::read_file(file))); }

/// ACPI's power meters say in oem_info what others say in label.
std::string label_of(const fs::path& folder, std::string_view channel) {
  const std::string label = line_of(folder / compose("{}_label", channel));
  return label.empty() ? line_of(folder / compose("{}_oem_info", channel)) : label;
}

}  // namespace

std::vector<HwmonFile> hwmon_files(const fs::path& root, std::string_view what,
                                   const std::vector<std::string_view>& items) {
  std::vector<HwmonFile> files;
  for (const auto& [number, chip] : machine::numbered(root / "sys/class/hwmon", "hwmon")) {
    // Older drivers keep their files in the folder of the device.
    for (const fs::path& folder : {chip, chip / "device"}) {
      const std::string name = line_of(folder / "name");
      std::map<std::size_t, fs::path> channels;
      for (const std::string_view item : items)
        channels.merge(machine::numbered(folder, what, compose("_{}", item)));
      for (const auto& [channel, file] : channels)
        files.push_back({name, label_of(folder, compose("{}{}", what, channel)), file});
      if (!channels.empty()) break;
    }
  }
  return files;
}

}  // namespace armature::tools
