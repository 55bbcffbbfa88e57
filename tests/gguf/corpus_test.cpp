#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/gguf/file_case.h"
#include "tests/support/exercise_gguf.h"

namespace armature::test {
namespace {

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return to_bytes(std::span<const char>(text));
}

// What the fuzzer does, for its seeds and its former findings, in every build.
TEST(GgufCorpus, Replay) {
  const std::filesystem::path folder = ARMATURE_SOURCE_DIR "/tests/fuzz/corpus/gguf";
  std::size_t n_files = 0, n_accepted = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    const Bytes bytes = read_file(entry.path());
    check_agreement(bytes);
    n_accepted += exercise_gguf(bytes);
    ++n_files;
  }
  EXPECT_GE(n_accepted, 10u);
  EXPECT_GE(n_files, n_accepted + 10);
}

}  // namespace
}  // namespace armature::test
