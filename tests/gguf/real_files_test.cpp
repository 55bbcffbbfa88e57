#include <gtest/gtest.h>

#include <filesystem>

#include "gguf/model_files.h"
#include "tests/support/simple_reader.h"

namespace armature::test {
namespace {

// Files that other programs wrote, where they are at hand: both readers see the same in them.
TEST(GgufRealFiles, AreReadAsTheSimpleReaderDoes) {
  const std::filesystem::path folder = ARMATURE_TEST_DATA "/models";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".gguf") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const auto model = gguf::ModelFiles::open(entry.path().string(), gguf::Access::Map);
    const gguf::File& file = model.files().front();
    EXPECT_TRUE(file.warnings.empty());
    const SimpleFile simple =
        simple_read({file.tensors.front().data - file.tensors.front().offset, file.size});
    ASSERT_TRUE(simple.accepted()) << simple.refusal;
    ASSERT_EQ(file.metadata.keys().size(), simple.keys.size());
    ASSERT_EQ(file.tensors.size(), simple.tensors.size());
    for (std::size_t i = 0; i < simple.keys.size(); ++i) {
      EXPECT_EQ(file.metadata.keys()[i].key, simple.keys[i].name);
      EXPECT_EQ(file.metadata.keys()[i].count, simple.keys[i].count);
    }
    for (std::size_t i = 0; i < simple.tensors.size(); ++i) {
      EXPECT_EQ(file.tensors[i].name, simple.tensors[i].name);
      EXPECT_EQ(file.tensors[i].offset, simple.tensors[i].offset);
      EXPECT_EQ(file.tensors[i].size, simple.tensors[i].size);
    }
  }
}

}  // namespace
}  // namespace armature::test
