#include "gguf/mapped_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "gguf/error.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace armature::gguf {
namespace {

using test::Bytes;
using test::TempDir;
using testing::HasSubstr;

void expect_io(const std::string& path, const char* says) {
  for (Access access : {Access::Map, Access::Read}) {
    try {
      MappedFile::open(path, access);
      ADD_FAILURE() << path << " was opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::io) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(says));
      EXPECT_EQ(error.place().file, path);
    }
  }
}

ErrorCode code_of_check(const MappedFile& file) {
  try {
    file.check_unchanged();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::too_short;
}

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const TempDir folder;
  const Bytes bytes = test::TinyModel().bytes();
  const std::string path = folder.write("m.gguf", bytes);
  for (Access access : {Access::Map, Access::Read}) {
    const MappedFile file = MappedFile::open(path, access);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), file.bytes().begin(), file.bytes().end()));
    EXPECT_EQ(file.is_mapped(), access == Access::Map);
    EXPECT_EQ(file.path(), path);
    file.will_need();
    EXPECT_NO_THROW(file.check_unchanged());
  }
}

TEST(MappedFile, EmptyFile) {
  const TempDir folder;
  const std::string path = folder.write("empty.gguf", std::string_view());
  for (Access access : {Access::Map, Access::Read}) {
    const MappedFile file = MappedFile::open(path, access);
    EXPECT_TRUE(file.bytes().empty());
    EXPECT_EQ(file.lock(), "");
  }
}

TEST(MappedFile, MovesWithoutMovingTheBytes) {
  const TempDir folder;
  MappedFile first = MappedFile::open(folder.write("a", Bytes(100, std::byte{1})), Access::Map);
  MappedFile second = MappedFile::open(folder.write("b", Bytes(200, std::byte{2})), Access::Read);
  const std::byte* data = first.bytes().data();
  second = std::move(first);
  EXPECT_EQ(second.bytes().data(), data);
  EXPECT_EQ(second.bytes().size(), 100u);
  const MappedFile third(std::move(second));
  EXPECT_EQ(third.bytes()[99], std::byte{1});
}

TEST(MappedFile, OpensOnlyRegularFiles) {  // RUN-15
  const TempDir folder;
  const std::string fifo = folder.path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expect_io(folder.path("missing.gguf"), "No such file");
  expect_io(folder.path(""), "Is a directory");
  expect_io(fifo, "only regular files");
  expect_io("/dev/zero", "only regular files");
  expect_io("/dev/null", "only regular files");
  expect_io(std::string("a\0b", 3), "NUL");
}

TEST(MappedFile, OpensOnlyReadableFiles) {  // RUN-15
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const TempDir folder;
  const std::string path = folder.write("secret.gguf", Bytes(10));
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  expect_io(path, "Permission denied");
}

TEST(MappedFile, NoticesThatTheFileHasChanged) {  // DAT-11
  const TempDir folder;
  const std::string path = folder.write("m.gguf", Bytes(1000));
  for (Access access : {Access::Map, Access::Read}) {
    {
      const MappedFile file = MappedFile::open(path, access);
      folder.write("m.gguf", Bytes(999));
      EXPECT_EQ(code_of_check(file), ErrorCode::file_changed);
    }
    {
      const MappedFile file = MappedFile::open(path, access);
      const timespec times[2] = {{1, 0}, {1, 0}};
      ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
      EXPECT_EQ(code_of_check(file), ErrorCode::file_changed);
    }
    {
      const MappedFile file = MappedFile::open(path, access);
      const std::string other = folder.write("other.gguf", Bytes(999));
      ASSERT_EQ(::rename(other.c_str(), path.c_str()), 0);
      EXPECT_EQ(code_of_check(file), ErrorCode::file_changed);
    }
    {
      const MappedFile file = MappedFile::open(path, access);
      ASSERT_EQ(::unlink(path.c_str()), 0);
      EXPECT_NO_THROW(file.check_unchanged()) << "what is mapped stays";
      folder.write("m.gguf", Bytes(1000));
    }
  }
}

// DAT-10: bytes that were read survive whatever happens to the file.
TEST(MappedFile, BytesThatWereReadOutliveTheFile) {
  const TempDir folder;
  const std::string path = folder.write("m.gguf", Bytes(100000, std::byte{5}));
  const MappedFile file = MappedFile::open(path, Access::Read);
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  EXPECT_TRUE(
      std::all_of(file.bytes().begin(), file.bytes().end(), [](std::byte b) { return b == std::byte{5}; }));
}

TEST(MappedFile, LockingNamesTheLimit) {  // RUN-16
  const TempDir folder;
  const MappedFile file = MappedFile::open(folder.write("m.gguf", Bytes(1 << 20)), Access::Map);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_MEMLOCK, &before), 0);
  const rlimit small = {65536, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_MEMLOCK, &small), 0);
  const std::string warning = file.lock();
  ASSERT_EQ(::setrlimit(RLIMIT_MEMLOCK, &before), 0);
  if (warning.empty()) GTEST_SKIP() << "this process may lock without limit";
  EXPECT_THAT(warning, HasSubstr("65536 bytes"));
  EXPECT_THAT(warning, HasSubstr("1048576 bytes"));
}

}  // namespace
}  // namespace armature::gguf
