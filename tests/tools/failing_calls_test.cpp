// Calls of the system that fail while the program loads a model, by libraries that are loaded before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gguf/compose.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class FailingCalls : public testing::Test {
 protected:
  Launch launch(const std::string& library) const {
    return {.args = {"run", "-m", path, "--no-mmap", "--raw", "-p", "a", "-n", "2", "--temp", "0", "-t", "1"},
            // The runtime of AddressSanitizer wants to be the first library, but need not be.
            .environment = {{"LD_PRELOAD", library}, {"ASAN_OPTIONS", "verify_asan_link_order=0"}}};
  }
  std::string good_answer() const {
    Launch plain = launch("");
    return run_program(plain).out;
  }

  TempDir folder;
  std::string path = folder.write("model.gguf", TinyModel());
};

#ifdef ARMATURE_FAILING_READ

TEST_F(FailingCalls, ShortReadsAreContinued) {  // DAT-12
  const Outcome outcome = run_program(launch(ARMATURE_FAILING_READ));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, good_answer());
}

TEST_F(FailingCalls, ReadThatFailsInTheMiddle) {  // DAT-12
  for (const std::uint64_t at :
       {std::uint64_t{0}, std::uint64_t{4096}, std::filesystem::file_size(path) - 1}) {
    Launch failing = launch(ARMATURE_FAILING_READ);
    failing.environment.emplace_back("ARMATURE_FAILING_READ", std::to_string(at));
    const Outcome outcome = run_program(failing);
    EXPECT_EQ(outcome.status, 1) << outcome.signal;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "error: " + path + ": offset " + hex(at) + ": cannot read: Input/output error\n");
  }
}

#endif

#ifdef ARMATURE_FAILING_MALLOC

long n_allocations(const Outcome& outcome) {
  const std::string label = "allocations: ";
  const std::size_t at = outcome.err.rfind(label);
  return at == std::string::npos ? 0 : std::stol(outcome.err.substr(at + label.size()));
}

TEST_F(FailingCalls, EachAllocation) {  // RUN-20
  const std::string good = good_answer();
  ASSERT_NE(good, "");
  const long n = n_allocations(run_program(launch(ARMATURE_FAILING_MALLOC)));
  ASSERT_GT(n, 100);
  constexpr long kEach = 200, kStep = 7;
  long n_refused = 0;
  for (long k = 1; k <= n; k += k < kEach ? 1 : kStep) {
    Launch failing = launch(ARMATURE_FAILING_MALLOC);
    failing.environment.emplace_back("ARMATURE_FAILING_ALLOCATION", std::to_string(k));
    const Outcome outcome = run_program(failing);
    SCOPED_TRACE(k);
    EXPECT_EQ(outcome.signal, 0);
    if (outcome.status == 0) {
      EXPECT_EQ(outcome.out, good);
      continue;
    }
    ++n_refused;
    EXPECT_EQ(outcome.status, 1);
    // The second is libgomp's, which ends the process by itself.
    EXPECT_THAT(outcome.err, AnyOf(HasSubstr("error: out of memory"), HasSubstr("libgomp: Out of memory")));
  }
  EXPECT_GT(n_refused, 50);
}

#endif

}  // namespace
}  // namespace armature::test
