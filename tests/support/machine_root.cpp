#include "tests/support/machine_root.h"

#include <fstream>

namespace armature::test {

void MachineRoot::write(const std::filesystem::path& path, const std::string& text) const {
  std::filesystem::create_directories((root() / path).parent_path());
  std::ofstream(root() / path) << text;
}

}  // namespace armature::test
