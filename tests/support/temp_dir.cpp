#include "tests/support/temp_dir.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace armature::test {

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "armature-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  folder_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TempDir::write(const std::string& name, std::span<const std::byte> bytes) const {
  const std::string where = path(name);
  std::ofstream file(where, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + where);
  return where;
}

std::string TempDir::write(const std::string& name, std::string_view text) const {
  return write(name, std::as_bytes(std::span(text)));
}

std::string TempDir::write(const std::string& name, const TinyModel& model) const {
  return write(name, model.bytes());
}

}  // namespace armature::test
