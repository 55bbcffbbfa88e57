#include "engine/parallel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace armature::test {
namespace {

TEST(Team, EveryChunkRunsOnceAndPhasesFollowEachOther) {
  for (const std::size_t n_threads : {1u, 2u, 3u, 7u}) {
    Team team(n_threads);
    std::vector<int> values(1000, 0);
    for (int region = 0; region < 20; ++region) {
      team.run(n_threads, [&](Team::Worker& worker) {
        for (std::size_t n : {1u, 10u, 0u, 1000u, 3u, 1000u}) {
          worker.for_each(n, [&](std::size_t i) { ++values[i]; });
        }
      });
    }
    EXPECT_EQ(values[0], 20 * 5);  // five of the phases have a chunk 0, two a chunk 999
    EXPECT_EQ(values[999], 20 * 2);
  }
}

TEST(Team, APhaseSeesWhatTheOneBeforeWrote) {
  Team team(4);
  constexpr std::size_t kN = 257;
  std::vector<std::size_t> a(kN, 1), b(kN, 0);
  team.run(4, [&](Team::Worker& worker) {
    for (int round = 0; round < 50; ++round) {
      worker.for_each(kN, [&](std::size_t i) { b[i] = a[i] + a[(i + 1) % kN]; });
      worker.for_each(kN, [&](std::size_t i) { a[i] = (b[i] + b[(i + kN - 1) % kN]) % 1000003; });
    }
  });
  std::vector<std::size_t> x(kN, 1), y(kN, 0);
  for (int round = 0; round < 50; ++round) {
    for (std::size_t i = 0; i < kN; ++i) y[i] = x[i] + x[(i + 1) % kN];
    for (std::size_t i = 0; i < kN; ++i) x[i] = (y[i] + y[(i + kN - 1) % kN]) % 1000003;
  }
  EXPECT_EQ(a, x);
}

TEST(Team, ALateThreadHoldsNobodyUpAndSkipsWhatIsDone) {
  Team team(2);
  if (team.size() < 2) GTEST_SKIP() << "one thread only";
  std::vector<int> phases(100, 0);
  team.run(2, [&](Team::Worker& worker) {
    if (worker.index() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (std::size_t p = 0; p < phases.size(); ++p) {
      worker.for_each(8, [&](std::size_t i) {
        if (i == 0) ++phases[p];
      });
    }
  });
  for (const int count : phases) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace armature::test
