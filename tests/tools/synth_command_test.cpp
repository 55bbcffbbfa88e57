// `armature synth`: files, forecasts, and what a run that ends early leaves.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "engine/model.h"
#include "tests/support/program.h"
#include "tools/synth/shapes.h"
#include "tools/synth/synth_image.h"
#include "tools/synth/weight_types.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
namespace synth = tools::synth;

class SynthCommand : public testing::Test {
 protected:
  Outcome make(std::vector<std::string> args) const {
    args.insert(args.begin(), "synth");
    return run_program(args);
  }
  std::vector<std::string> names_in_folder() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path("")))
      names.push_back(entry.path().filename());
    return names;
  }

  TempDir folder_;
  std::string path_ = folder_.path("m.gguf");
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(SynthCommand, FileIsTheImageInMemory) {
  const Outcome outcome = make({"tiny", "q4_k", path_, "--layers", "2"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const synth::SynthImage image{synth::SynthModel(synth::parse_choice("tiny:Q4_K:2"))};
  const std::string file = contents(path_);
  ASSERT_EQ(file.size(), image.bytes().size());
  EXPECT_EQ(std::memcmp(file.data(), image.bytes().data(), file.size()), 0);
  EXPECT_THAT(outcome.err, HasSubstr("tiny Q4_K, 2 of 4 layers: 20 tensors, "));
  EXPECT_THAT(outcome.err, HasSubstr("(" + std::to_string(file.size()) + " bytes)\n"));
  EXPECT_EQ(make({"tiny", "Q4_K", "-", "--layers", "2"}).out, file);

  const auto model = Model::load(path_);
  EXPECT_EQ(model->metadata().find_string("general.name"),
            "Synthetic tiny Q4_K, 2 of 4 layers: random weights");
  EXPECT_EQ(model->metadata().find_uint("armature.synth.seed", 0, 100), 7u);
  const Outcome answer = run_program({"run", "-m", path_, "-p", "hello", "-n", "3", "--ignore-eos"});
  EXPECT_EQ(answer.status, 0) << answer.err;
}

TEST_F(SynthCommand, AFileThatIsThereIsReplaced) {
  folder_.write("m.gguf", std::string_view("old"));
  std::filesystem::permissions(path_, std::filesystem::perms{0600});
  EXPECT_EQ(make({"tiny", "F16", path_}).status, 0);
  EXPECT_GT(std::filesystem::file_size(path_), 6000000u);
  EXPECT_EQ(std::filesystem::status(path_).permissions(), std::filesystem::perms{0600});
  EXPECT_THAT(names_in_folder(), testing::ElementsAre("m.gguf"));
}

TEST_F(SynthCommand, DryRunTellsTheSizeAndMakesNothing) {
  const Outcome outcome = make({"llama-3-70b", "Q4_K", path_, "--dry-run"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("llama-3-70b Q4_K: 723 tensors, 70.6 B weights, 40.0 GB ("));
  EXPECT_EQ(make({"llama-70b", "Q4_K", "--dry-run"}).out, outcome.out);
  EXPECT_THAT(names_in_folder(), IsEmpty());
}

TEST_F(SynthCommand, ListHasEveryShapeAndEveryType) {
  const Outcome all = make({"--list"});
  EXPECT_EQ(all.status, 0) << all.err;
  for (const synth::Shape& shape : synth::shapes())
    EXPECT_THAT(all.out, HasSubstr(std::string(shape.name) + " "));
  const Outcome one = make({"--list", "smollm2-135m"});
  for (const synth::WeightType& row : synth::weight_types())
    EXPECT_THAT(one.out, HasSubstr(std::string(gguf::type_info(row.type).name) + " "));
  EXPECT_THAT(one.out, HasSubstr("99894528 bytes  180 x Q5_0 for Q4_K, 1 x Q8_0 for Q6_K\n"));
}

TEST_F(SynthCommand, WrongCommandLines) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "SHAPE TYPE OUT are needed"},
      {{"tiny", "F16"}, "SHAPE TYPE OUT are needed"},
      {{"tiny", "F16", path_, "more"}, "SHAPE TYPE OUT are needed"},
      {{"tinny", "F16", path_}, "unknown shape 'tinny'; the nearest is tiny; known are tiny, "},
      {{"tiny", "F15", path_}, "unknown type 'F15'; the nearest is F16; known are F32, "},
      {{"tiny", "F16", path_, "--layers", "0"}, "--layers: value '0'; allowed: 1 to 1024"},
      {{"tiny", "F16", path_, "--layer", "1"}, "--layers"},
      {{"--list", "tiny", "F16"}, "--list takes one shape at most"},
  };
  for (const auto& [args, part] : cases) {
    const Outcome outcome = make(args);
    EXPECT_EQ(outcome.status, 2) << part;
    EXPECT_EQ(outcome.out, "") << part;
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
  EXPECT_THAT(names_in_folder(), IsEmpty());
}

TEST_F(SynthCommand, PlacesThatCannotBeWritten) {
  const std::string nowhere = folder_.path("no/m.gguf");
  const Outcome missing = make({"tiny", "F16", nowhere});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.err, "error: " + nowhere + ": cannot make it: No such file or directory\n");
  const Outcome nameless = make({"tiny", "F16", ""});
  EXPECT_EQ(nameless.status, 1);
  EXPECT_EQ(nameless.err, "error: an empty name for the output; a file or - is needed\n");
  const std::string long_name = folder_.path(std::string(300, 'x'));
  EXPECT_EQ(make({"tiny", "F16", long_name}).err,
            "error: " + long_name + ": cannot make it: File name too long\n");
  const Outcome full = make({"tiny", "F16", "/dev/full"});
  EXPECT_EQ(full.status, 1);
  EXPECT_EQ(full.err, "error: /dev/full: cannot write: No space left on device\n");
}

/// The limit on the size of files stands in for a full disk.
TEST_F(SynthCommand, AFullDiskIsToldWithTheBytesWritten) {
  folder_.write("m.gguf", std::string_view("old"));
  const auto small_files = [] {
    const rlimit limit = {1000000, 1000000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
  };
  const Outcome outcome = run_program({.args = {"synth", "tiny", "F16", path_}, .in_child = small_files});
  EXPECT_EQ(outcome.status, 1) << outcome.signal;
  EXPECT_EQ(outcome.err, "error: " + path_ + ": cannot write (after 1000000 bytes): File too large\n");
  EXPECT_EQ(contents(path_), "old");
  EXPECT_THAT(names_in_folder(), testing::ElementsAre("m.gguf"));
}

TEST_F(SynthCommand, ADiskKnownToBeTooSmallIsToldAtOnce) {
  const auto free_bytes = std::filesystem::space(folder_.path("")).available;
  if (free_bytes > 1400000000000) GTEST_SKIP() << "the disk holds the largest model of 1024 layers";
  const Outcome outcome = make({"llama-3-70b", "F32", path_, "--layers", "1024"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("error: " + path_ + ": no room: "));
  EXPECT_THAT(outcome.err, HasSubstr("bytes) are free\n"));
  EXPECT_THAT(names_in_folder(), IsEmpty());
}

class SynthEndedEarly : public SynthCommand {
 protected:
  /// The outcome of a run that gets the signal while it writes some GB.
  Outcome end_with(int signal) const {
    Process process({.args = {"synth", "gemma-3-1b", "Q4_K", path_, "--layers", "100"}});
    for (int i = 0; i < 1000 && process.err().empty(); ++i)  // the note that comes before the file
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    process.send(signal);
    return process.wait();
  }
};

TEST_F(SynthEndedEarly, AnInterruptLeavesNothing) {
  if (program_is_emulated()) GTEST_SKIP() << "too slow under emulation";
  const Outcome outcome = end_with(SIGINT);
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(names_in_folder(), IsEmpty());
}

TEST_F(SynthEndedEarly, AKilledRunLeavesNothing) {
  if (program_is_emulated()) GTEST_SKIP() << "too slow under emulation";
#ifdef O_TMPFILE
  const int probe = ::open(folder_.path("").c_str(), O_TMPFILE | O_WRONLY, 0600);
#else
  const int probe = -1;
#endif
  if (probe < 0) GTEST_SKIP() << "this file system has no files without a name";
  ::close(probe);
  folder_.write("m.gguf", std::string_view("old"));
  EXPECT_EQ(end_with(SIGKILL).signal, SIGKILL);
  EXPECT_EQ(contents(path_), "old");
  EXPECT_THAT(names_in_folder(), testing::ElementsAre("m.gguf"));
}

}  // namespace
}  // namespace armature::test
