#include "engine/parallel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "engine/affinity.h"
#include "engine/machine.h"
#include "engine/thread_probe.h"
#include "gguf/error.h"

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

/// Where each thread of a region may run, by its index.
std::vector<CpuList> places_seen(Team& team, std::size_t mode) {
  std::vector<CpuList> seen(team.size());
  team.run(
      team.size(),
      [&](Team::Worker& worker) {
        seen[worker.index()] = thread_affinity().cpus();
        worker.for_each(1, [](std::size_t) {});
      },
      {}, mode);
  return seen;
}

class TeamPlaces : public testing::Test {
 protected:
  void SetUp() override {
    if (allowed.size() < 2) GTEST_SKIP() << "one CPU only";
  }
  const CpuList allowed = allowed_cpus();
};

TEST_F(TeamPlaces, EachThreadRunsWhereItIsToldAndTheCallerIsLetGo) {
  const CpuList first = {allowed[0]}, second = {allowed[1]};
  {
    Team team(2, {{.places = {first, second}}, {.places = {second}}, {}});
    ASSERT_EQ(team.size(), 2u);
    EXPECT_EQ(places_seen(team, 0), (std::vector{first, second}));
    EXPECT_EQ(places_seen(team, 1), (std::vector{second, second}));
    EXPECT_EQ(places_seen(team, 2), (std::vector{allowed, allowed}));
    EXPECT_EQ(places_seen(team, 0), (std::vector{first, second}));
    EXPECT_EQ(thread_affinity().cpus(), allowed);
  }
  Team next(2);
  EXPECT_EQ(places_seen(next, 0), (std::vector{allowed, allowed})) << "the pool's threads are let go too";
}

TEST_F(TeamPlaces, MoreThreadsThanPlacesTakeThemInTurn) {
  const CpuList first = {allowed[0]}, second = {allowed[1]};
  Team team(3, {{.places = {first, second}}});
  ASSERT_EQ(team.size(), 3u);
  EXPECT_EQ(places_seen(team, 0), (std::vector{first, second, first}));
}

TEST_F(TeamPlaces, ThatAreNotThereAreRefused) {
  for (const CpuList& cpus : {CpuList{8191}, CpuList{allowed[0], 8191}, CpuList{}, CpuList{1 << 20}}) {
    EXPECT_THROW(Team(1, {{.places = {cpus}}}), Error);
    EXPECT_EQ(thread_affinity().cpus(), allowed);
  }
}

TEST_F(TeamPlaces, ABoundCallerComesBackToItsOwnPlace) {
  std::thread([&] {
    const CpuList own = {allowed[1]};
    ASSERT_TRUE(bind_thread(CpuMask(own)));
    {
      Team team(2, {{.places = {{allowed[0]}}}});
      EXPECT_EQ(places_seen(team, 0), (std::vector<CpuList>{{allowed[0]}, {allowed[0]}}));
      EXPECT_EQ(thread_affinity().cpus(), own);
    }
    EXPECT_EQ(thread_affinity().cpus(), own);
  }).join();
}

TEST(Team, WaitsAsItIsTold) {
  for (const std::size_t poll : {0u, 1u, 50u, 100u, 1000u}) {
    Team team(2, {{.places = {}, .poll = poll}});
    int sum = 0;
    team.run(2, [&](Team::Worker& worker) {
      for (int phase = 0; phase < 200; ++phase) worker.for_each(1, [&](std::size_t) { ++sum; });
    });
    EXPECT_EQ(sum, 200) << poll;
  }
}

TEST(CpuMask, HoldsWhatItIsGiven) {
  const CpuList cpus = {0, 1, 63, 64, 130, 8191};
  EXPECT_EQ(CpuMask(cpus).cpus(), cpus);
  EXPECT_TRUE(CpuMask(CpuList{8192}).empty());
  EXPECT_FALSE(CpuMask(cpus).contains(2));
  EXPECT_FALSE(CpuMask(cpus).contains(9000));
}

TEST(StackSize, IsReadAsOpenMpDoes) {
  EXPECT_EQ(parse_stack_size("512"), 512u << 10);
  EXPECT_EQ(parse_stack_size(" 8 M "), 8u << 20);
  EXPECT_EQ(parse_stack_size("2g"), 2ull << 30);
  EXPECT_EQ(parse_stack_size("16384B"), 16384u);
  EXPECT_EQ(parse_stack_size("64k"), 64u << 10);
  for (const char* text :
       {"", " ", "M", "-1", "8 MB", "1T", "8M8", "99999999999999999999", "18014398509481984K"})
    EXPECT_EQ(parse_stack_size(text), std::nullopt) << text;
}

}  // namespace
}  // namespace armature::test
