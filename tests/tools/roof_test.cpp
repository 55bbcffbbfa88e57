// What the machine can do at best: what is timed, on clocks of the tests' own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gguf/error.h"
#include "kernels/peak_check.h"
#include "tools/roof/machine_roofs.h"
#include "tools/roof/roof_report.h"
#include "tools/roof/smaps.h"

namespace armature::tools::roof {
namespace {

using kernels::Arithmetic;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kMiB = 1 << 20;

bool never() { return false; }

/// The time, which goes on by what the work says.
std::atomic<std::int64_t> g_now{1000};
void spend(std::int64_t time) { g_now += time; }
nanoseconds now() { return nanoseconds(g_now); }

/// Passes that take so long, in turn.
std::function<nanoseconds()> passes_of(std::vector<int> times) {
  return [times, at = std::size_t{0}]() mutable {
    spend(times[at % times.size()]);
    return nanoseconds(times[at++ % times.size()]);
  };
}

TEST(RoofTiming, BestAndMedianOfPasses) {
  const auto odd = time_passes(passes_of({50, 20, 30, 90, 40}), {5, 5}, now, never);
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->passes, 5u);
  EXPECT_EQ(odd->best.count(), 20);
  EXPECT_EQ(odd->median.count(), 40);
  const auto even = time_passes(passes_of({50, 20, 30, 90}), {4, 4}, now, never);
  ASSERT_TRUE(even);
  EXPECT_EQ(even->median.count(), 40);
}

TEST(RoofTiming, EndsWhenItHasEnough) {
  const auto passes = [](PassLimits limits) {
    return time_passes(passes_of({100}), limits, now, never)->passes;
  };
  EXPECT_EQ(passes({3, 9, nanoseconds(0)}), 3u);
  EXPECT_EQ(passes({3, 9, nanoseconds(450)}), 5u);
  EXPECT_EQ(passes({3, 9, nanoseconds(100000)}), 9u);
}

TEST(RoofTiming, StopsBeforeAPass) {
  int n = 0;
  const auto pass = [&] { return nanoseconds(++n); };
  EXPECT_FALSE(time_passes(pass, {5, 5}, now, [&] { return n == 2; }));
  EXPECT_EQ(n, 2);
}

TEST(RoofTiming, TogetherIsFromTheFirstBeginningToTheLastEnd) {
  Team team(2);
  for (std::size_t n_threads = 1; n_threads <= count_threads(team); ++n_threads) {
    std::vector<int> calls(n_threads);
    const auto work = [&](std::size_t index) {
      ++calls[index];
      spend(700);
    };
    EXPECT_EQ(time_together(team, n_threads, work, now).count(), static_cast<std::int64_t>(700 * n_threads));
    EXPECT_EQ(calls, std::vector<int>(n_threads, 1));
  }
}

TEST(RoofTiming, AClockThatStandsStillDividesByNothing) {
  Team team(1);
  EXPECT_TRUE(std::isfinite(rate(1, time_together(
                                        team, 1, [](std::size_t) {}, now))));
  EXPECT_DOUBLE_EQ(rate(3e6, nanoseconds(1500)), 2e12);
}

constexpr std::size_t kPlenty = std::size_t{1} << 40;

TEST(RoofBuffer, IsLargerThanTheCaches) {
  const auto large = [](std::size_t caches) {
    return read_buffer_bytes(BufferSize::Large, caches, 2, kPlenty, 2 * kMiB) / kMiB;
  };
  EXPECT_EQ(large(0), 256u);
  EXPECT_EQ(large(32 * kMiB), 256u);
  EXPECT_EQ(large(105 * kMiB), 420u) << "four times";
  EXPECT_EQ(large(101 * kMiB + 1), 406u) << "in whole huge pages";
  EXPECT_EQ(large(508 * kMiB), 1024u);
  EXPECT_EQ(large(1152 * kMiB), 2304u) << "twice in any case";
  const auto small = [](std::size_t caches) {
    return read_buffer_bytes(BufferSize::Small, caches, 2, kPlenty, 2 * kMiB) / kMiB;
  };
  EXPECT_EQ(small(32 * kMiB), 256u);
  EXPECT_EQ(small(200 * kMiB), 400u);
  EXPECT_EQ(small(508 * kMiB), 512u);
  EXPECT_EQ(small(1152 * kMiB), 1152u);
}

TEST(RoofBuffer, HasRoomForEveryThreadAndFitsIntoMemory) {
  EXPECT_EQ(read_buffer_bytes(BufferSize::Small, 0, 192, kPlenty, 0), 768 * kMiB);
  EXPECT_EQ(read_buffer_bytes(BufferSize::Large, 100 * kMiB, 2, 700 * kMiB + 5, 2 * kMiB), 350 * kMiB);
}

TEST(RoofBuffer, TooLittleMemoryIsAnError) {
  try {
    read_buffer_bytes(BufferSize::Large, 508 * kMiB, 2, 1000 * kMiB, 2 * kMiB);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_THAT(error.what(), HasSubstr("508 MiB at least; there is room for 500 MiB"));
  }
  EXPECT_THROW(read_buffer_bytes(BufferSize::Small, 0, 1, 100 * kMiB, 0), Error);
}

TEST(RoofPages, ReasonsForNoHugePages) {
  const auto sizes = [](std::string setting, std::uint64_t bytes) {
    machine::Pages pages;
    pages.transparent = std::move(setting);
    pages.transparent_bytes = bytes;
    return page_sizes(65536, pages);
  };
  EXPECT_EQ(sizes("madvise", 512 * kMiB).huge, 512 * kMiB);
  EXPECT_EQ(sizes("madvise", 512 * kMiB).of(PageKind::Base), 65536u);
  EXPECT_EQ(sizes("madvise", 512 * kMiB).why_no_huge, "");
  for (const PageSizes& none : {sizes("never", 2 * kMiB), sizes("always", 0), sizes("", 0)}) {
    EXPECT_EQ(none.huge, 0u);
    EXPECT_NE(none.why_no_huge, "");
  }
}

constexpr std::string_view kSmaps =
    "00001000-00003000 r--p 00000000 08:01 42        /usr/lib/a:b.so\n"
    "Size:                  8 kB\n"
    "Rss:                   4 kB\n"
    "AnonHugePages:         0 kB\n"
    "FilePmdMapped:         0 kB\n"
    "VmFlags: rd mr\n"
    "7f0000000000-7f0000800000 rw-p 00000000 00:00 0 \n"
    "Size:               8192 kB\n"
    "Rss:                6144 kB\n"
    "AnonHugePages:      4096 kB\n"
    "ShmemPmdMapped:        1 kB\n"
    "FilePmdMapped:         2 kB\n"
    "7f0000800000-7f0000900000 rw-p 00000000 00:00 0 \n"
    "Rss:                1024 kB\n"
    "AnonHugePages:         0 kB";

std::span<const std::byte> addresses(std::uintptr_t begin, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(begin), size};
}

TEST(RoofSmaps, CountsTheMappingsOfTheBytes) {
  const auto large = residence(kSmaps, addresses(0x7f0000100000, 4096));
  ASSERT_TRUE(large);
  EXPECT_EQ(large->resident, 6144u << 10);
  EXPECT_EQ(large->huge, 4099u << 10);
  const auto both = residence(kSmaps, addresses(0x7f00007fffff, 2));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->resident, 7168u << 10);
  EXPECT_EQ(residence(kSmaps, addresses(0x2fff, 1))->resident, 4096u);
}

TEST(RoofSmaps, TellsNothingOfOtherBytes) {
  EXPECT_FALSE(residence(kSmaps, addresses(0x3000, 4096)));
  EXPECT_FALSE(residence("", addresses(0x1000, 1)));
  EXPECT_FALSE(residence("no smaps\n\n-\n1000-\nRss: 4 kB", addresses(0x1000, 1)));
}

class Measuring : public testing::Test {
 protected:
  Team team{2};
  const Tools tools{team, now, never};
  const std::size_t most_threads = count_threads(team);
  const PageSizes pages = page_sizes();
  const PassLimits passes{2, 2};
};

const kernels::PeakRow& scalar_peak(Arithmetic kind) { return *peak_rows_of(kind, cpu::kNone).front(); }

class RoofRead : public Measuring {};
class RoofPeak : public Measuring {};
class RoofsOfAMachine : public Measuring {
 protected:
  static nanoseconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }
  const Tools real_tools{team, steady_now, never};
};

std::size_t g_words = 0;  // that count_words() has read
std::uint64_t count_words(const kernels::ReadArgs& args) noexcept {
  g_words += args.n;
  spend(1'000'000);
  return kernels::choose_read(cpu::kNone).run(args);
}
std::uint64_t slow_read(const kernels::ReadArgs& args) noexcept {
  spend(2000);
  return kernels::choose_read(cpu::detect()).run(args);
}
constexpr int kUneven[] = {9000, 3000, 1000, 2000};  // the first is not timed
std::size_t g_calls = 0;
std::uint64_t uneven_read(const kernels::ReadArgs& args) noexcept {
  spend(kUneven[g_calls++ % 4]);
  return kernels::choose_read(cpu::kNone).run(args);
}

TEST_F(RoofRead, IsBytesOverTime) {
  const ReadBuffer buffer(PageKind::Base, pages, 3 * kMiB, most_threads, team);
  EXPECT_EQ(buffer.fault(), std::nullopt);
  for (std::size_t n_threads = 1; n_threads <= most_threads; ++n_threads) {
    const auto roof = measure_read({cpu::kNone, slow_read, "slow"}, buffer, n_threads, passes, tools);
    ASSERT_TRUE(roof);
    EXPECT_EQ(roof->n_threads, n_threads);
    EXPECT_EQ(roof->passes, 2u);
    EXPECT_DOUBLE_EQ(roof->best, 3 * kMiB / (2e-6 * static_cast<double>(n_threads)));
    EXPECT_DOUBLE_EQ(roof->median, roof->best);
  }
}

TEST_F(RoofRead, BestPassIsNotTheMedian) {
  const ReadBuffer buffer(PageKind::Base, pages, kMiB, 1, team);
  g_calls = 0;
  const auto roof = measure_read({cpu::kNone, uneven_read, "uneven"}, buffer, 1, {3, 3}, tools);
  ASSERT_TRUE(roof);
  EXPECT_DOUBLE_EQ(roof->best, kMiB / 1e-6);
  EXPECT_DOUBLE_EQ(roof->median, kMiB / 2e-6);
}

TEST_F(RoofRead, PartsOfAllThreadsAndPiecesMakeUpTheBuffer) {
  const ReadBuffer buffer(PageKind::Base, pages, 7 * kMiB, 2, team);
  std::size_t bytes = 0;
  std::uint64_t sum = 0;
  for (std::size_t index = 0; index < 3; ++index) {
    for (std::size_t piece = 0; piece < 5; ++piece) {
      const auto part = buffer.part(index, 3, piece, 5);
      EXPECT_EQ(part.size() % kernels::kReadWords, 0u);
      EXPECT_NEAR(static_cast<double>(part.size_bytes()), 7.0 * kMiB / 15, 4096);
      bytes += part.size_bytes();
      sum ^= kernels::choose_read(cpu::kNone).run({part.data(), part.size()});
    }
  }
  EXPECT_EQ(bytes, 7 * kMiB);
  EXPECT_EQ(sum, buffer.sum());
}

TEST_F(RoofRead, APassReadsTheNextPiece) {
  const ReadBuffer buffer(PageKind::Base, pages, 96 * kMiB, 1, team);
  g_words = 0;
  const auto roof = measure_read({cpu::kNone, count_words, "counting"}, buffer, 1, {4, 4}, tools);
  ASSERT_TRUE(roof);
  EXPECT_EQ(g_words * sizeof(std::uint64_t), (96 + 4 * 32) * kMiB) << "all, then four pieces";
  EXPECT_DOUBLE_EQ(roof->best, 32 * kMiB / 1e-3);
}

TEST_F(RoofRead, ARowThatLeavesMemoryOutIsFound) {
  const kernels::ReadRow lying = {cpu::kNone,
                                  [](const kernels::ReadArgs& args) noexcept {
                                    return kernels::read_rows().back().run(
                                        {args.words, args.n / 2 / kernels::kReadWords * kernels::kReadWords});
                                  },
                                  "lying"};
  const ReadBuffer buffer(PageKind::Base, pages, 3 * kMiB, 1, team);
  EXPECT_THROW(measure_read(lying, buffer, 1, passes, tools), Error);
}

TEST_F(RoofRead, HugePagesAreHugeOrThereIsAReason) {
  if (pages.huge == 0) GTEST_SKIP() << pages.why_no_huge;
  if (pages.huge > 32 * kMiB) GTEST_SKIP() << "huge pages of more than 32 MiB";
  const ReadBuffer buffer(PageKind::Huge, pages, 4 * pages.huge, 1, team);
  const auto found = residence(std::as_bytes(buffer.part(0, 1)));
  if (!found) GTEST_SKIP() << "the system does not say in which pages memory lies";
  EXPECT_EQ(buffer.fault() == std::nullopt, found->huge >= 4 * pages.huge) << buffer.fault().value_or("");
}

template <Arithmetic kKind, int kNanoseconds>
kernels::PeakResult takes(const kernels::PeakArgs& args) noexcept {
  spend(kNanoseconds);
  return scalar_peak(kKind).run(args);
}

template <Arithmetic kKind>
void expect_multiply_adds_over_time(const Tools& tools, std::size_t n_threads) {
  const kernels::PeakRow row = {cpu::kNone, kKind, takes<kKind, 250'000>, "C++", "slow"};
  const double one_call =
      scalar_peak(kKind).run(kernels::PeakOperands(kKind).args(kernels::kMaxPeakRounds)).multiply_adds;
  const auto roof = measure_peak(row, n_threads, {2, 2}, tools);
  ASSERT_TRUE(roof);
  EXPECT_EQ(roof->n_threads, n_threads);
  EXPECT_EQ(roof->row, &row);
  EXPECT_DOUBLE_EQ(roof->best, one_call / 250e-6) << "the clock adds up what threads spend";
  EXPECT_DOUBLE_EQ(roof->median, roof->best);
}

TEST_F(RoofPeak, IsMultiplyAddsOverTime) {
  for (std::size_t n_threads = 1; n_threads <= most_threads; ++n_threads) {
    expect_multiply_adds_over_time<Arithmetic::Int8>(tools, n_threads);
    expect_multiply_adds_over_time<Arithmetic::F32>(tools, n_threads);
  }
}

TEST_F(RoofPeak, ARowThatComputesSomethingElseIsFound) {
  const kernels::PeakRow lying = {cpu::kNone, Arithmetic::F32,
                                  [](const kernels::PeakArgs& args) noexcept {
                                    spend(1'000'000);
                                    kernels::PeakResult result = scalar_peak(Arithmetic::F32).run(args);
                                    result.sum += 1;
                                    return result;
                                  },
                                  "C++", "lying"};
  EXPECT_THROW(measure_peak(lying, 1, passes, tools), Error);
}

TEST_F(RoofPeak, RowsAreThoseOfTheFeatures) {
  EXPECT_EQ(peak_rows_of(Arithmetic::F32, cpu::kNone).size(), 1u);
  EXPECT_TRUE(peak_rows_of(Arithmetic::Bf16, cpu::kNone).empty());
  for (const kernels::PeakRow* row : peak_rows_of(Arithmetic::Int8, cpu::detect())) {
    EXPECT_TRUE(cpu::has(cpu::detect(), row->needs));
    EXPECT_TRUE(row->name != "scalar" || cpu::detect() == cpu::kNone);
  }
}

TEST_F(RoofPeak, TheFastestRowIsTakenWhereverItStands) {
  constexpr Arithmetic kKind = Arithmetic::F32;
  const kernels::PeakRow slow = {cpu::kNone, kKind, takes<kKind, 900'000>, "SLOW", "slow"};
  const kernels::PeakRow fast = {cpu::kNone, kKind, takes<kKind, 800'000>, "FAST", "fast"};
  for (const auto& rows : {std::vector{&slow, &fast}, std::vector{&fast, &slow}}) {
    const auto roof = fastest_peak(rows, passes, tools);
    ASSERT_TRUE(roof);
    EXPECT_EQ(roof->row->name, "fast");
  }
}

RoofOptions small_options(std::size_t n_threads) {
  RoofOptions options;
  options.read_threads.resize(n_threads);
  std::iota(options.read_threads.begin(), options.read_threads.end(), 1);
  options.peak_threads = options.read_threads;
  options.pages = {page_sizes().base, 0, "none are wanted"};
  options.buffer_bytes = kMiB;
  options.read_passes = options.peak_passes = {2, 2};
  return options;
}

TEST(RoofThreads, EachUpTo16ThenInSteps) {
  EXPECT_THAT(roof_thread_counts(1), ElementsAre(1u));
  EXPECT_THAT(roof_thread_counts(3), ElementsAre(1u, 2u, 3u));
  EXPECT_THAT(roof_thread_counts(35), ElementsAre(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u,
                                                  15u, 16u, 24u, 32u, 35u));
}

TEST_F(RoofsOfAMachine, EveryKindIsThereOrHasAReason) {
  const auto roofs = measure_roofs(small_options(most_threads), real_tools);
  ASSERT_TRUE(roofs);
  EXPECT_EQ(roofs->read_kernel, "scalar");
  ASSERT_EQ(roofs->reads.size(), most_threads + 1);
  EXPECT_EQ(roofs->reads.front().roof->n_threads, 1u);
  EXPECT_EQ(roofs->reads.back().kind, PageKind::Huge);
  EXPECT_EQ(roofs->reads.back().reason, "none are wanted");
  ASSERT_EQ(roofs->peaks.size(), 2 * most_threads + 1);
  EXPECT_EQ(roofs->peaks[most_threads].reason, "no instruction for bf16 products");
  EXPECT_EQ(find_peak(*roofs, Arithmetic::Bf16), nullptr);
  EXPECT_EQ(find_read(*roofs, PageKind::Huge), nullptr);
  const double highest = find_read(*roofs, PageKind::Base)->best;
  for (std::size_t i = 0; i < most_threads; ++i) EXPECT_LE(roofs->reads[i].roof->best, highest);
  EXPECT_EQ(find_peak(*roofs, Arithmetic::F32)->row->name, "scalar");
}

TEST_F(RoofsOfAMachine, InterruptedAnywhere) {
  std::size_t n_looks = 0;
  const auto count = [&] { return ++n_looks, false; };
  ASSERT_TRUE(measure_roofs(small_options(1), {team, steady_now, count}));
  for (std::size_t last = 1; last <= n_looks; ++last) {
    std::size_t looks = 0;
    EXPECT_FALSE(measure_roofs(small_options(1), {team, steady_now, [&] { return ++looks == last; }}));
  }
}

TEST_F(RoofsOfAMachine, EveryRowOfThisMachineRuns) {
  RoofOptions options = small_options(1);
  options.features = cpu::detect();
  const auto roofs = measure_roofs(options, real_tools);
  ASSERT_TRUE(roofs);
  for (const ReadEntry& entry : roofs->reads) EXPECT_NE(entry.roof.has_value(), !entry.reason.empty());
  for (const PeakEntry& entry : roofs->peaks) EXPECT_NE(entry.roof.has_value(), !entry.reason.empty());
}

/// Of a machine with two threads, made up.
RoofReport made_up_report() {
  RoofReport report;
  report.cpu_info = "Neoverse-N2 r0p0";
  report.features = "neon dotprod";
  report.fingerprint = "0123456789abcdef";
  report.threads_reason = "2 CPUs in the affinity mask";
  report.cache_bytes = 32 * kMiB;
  report.roofs.read_kernel = "neon";
  report.roofs.buffer_bytes = 256 * kMiB;
  report.roofs.reads = {{PageKind::Base, 4096, ReadRoof{1, 20e9, 19e9, 5}, {}},
                        {PageKind::Base, 4096, ReadRoof{2, 36e9, 35e9, 5}, {}},
                        {PageKind::Huge, 0, std::nullopt, "the \"kernel\" has none"}};
  const kernels::PeakRow* row = peak_rows_of(Arithmetic::Int8, cpu::kNone).front();
  report.roofs.peaks = {{Arithmetic::Int8, PeakRoof{row, 2, 640e9, 600e9, 4}, {}},
                        {Arithmetic::Bf16, std::nullopt, "no instruction for bf16 products"}};
  return report;
}

TEST(RoofReport, BusyIsWhereTheMedianLagsBehind) {
  MachineRoofs roofs = made_up_report().roofs;
  EXPECT_FALSE(is_busy(roofs));
  roofs.peaks.front().roof->median = 0.69 * roofs.peaks.front().roof->best;
  EXPECT_TRUE(is_busy(roofs));
  EXPECT_TRUE(is_busy(roofs, roofs.peaks.front()));
  EXPECT_FALSE(is_busy(roofs, roofs.reads[1]));
  roofs = made_up_report().roofs;
  roofs.reads[1].roof->median = 0.5 * roofs.reads[1].roof->best;
  EXPECT_TRUE(is_busy(roofs));
}

/// A thread that loses its core at every pass makes best and median equally low.
TEST(RoofReport, BusyIsWhereFewerThreadsDoMore) {
  RoofReport report = made_up_report();
  MachineRoofs& roofs = report.roofs;
  roofs.reads[1].roof = ReadRoof{2, 8.4e9, 8.3e9, 5};
  EXPECT_TRUE(is_busy(roofs, roofs.reads[1]));
  EXPECT_FALSE(is_busy(roofs, roofs.reads[0]));
  EXPECT_TRUE(is_busy(roofs));
  EXPECT_EQ(find_read(roofs, PageKind::Base)->best, 20e9) << "the highest counts";
  const std::string text = to_text(report, "md");
  EXPECT_THAT(text, HasSubstr("|  8.40 |   8.30 | busy |\n"));
  EXPECT_THAT(text, HasSubstr("Uncertain, as the machine was busy: Generation"));
  EXPECT_THAT(text, HasSubstr("at most 20.0 tokens/s"));
  EXPECT_THAT(to_text(report, "csv"), HasSubstr("\"8.400\",\"8.300\",\"GB/s\",\"5\",\"true\",\"\""));
  const auto json = nlohmann::json::parse(to_text(report, "json"));
  EXPECT_EQ(json["read"][0]["busy"], false);
  EXPECT_EQ(json["read"][1]["busy"], true);
}

TEST(RoofReport, ArithmeticThatDecidesFromTheFirstToken) {
  RoofReport report = made_up_report();
  report.roofs.peaks.front().roof->best = report.roofs.peaks.front().roof->median = 10e9;
  EXPECT_THAT(to_text(report, "md"),
              HasSubstr("int8 products arithmetic decides from the first token on.\n"));
}

TEST(RoofReport, Json) {
  const auto json = nlohmann::json::parse(to_text(made_up_report(), "json"));
  EXPECT_EQ(json["method"], kMethod);
  EXPECT_EQ(json["cpu_info"], "Neoverse-N2 r0p0");
  EXPECT_EQ(json["buffer_bytes"], 256 * kMiB);
  ASSERT_EQ(json["read"].size(), 3u);
  EXPECT_EQ(json["read"][1]["pages"], "4 KiB");
  EXPECT_EQ(json["read"][1]["threads"], 2);
  EXPECT_EQ(json["read"][1]["gb_s"], 36.0);
  EXPECT_EQ(json["read"][1]["median_gb_s"], 35.0);
  EXPECT_EQ(json["read"][2]["value"], nullptr);
  EXPECT_EQ(json["read"][2]["reason"], "the \"kernel\" has none");
  EXPECT_EQ(json["peak"][0]["arithmetic"], "int8");
  EXPECT_EQ(json["peak"][0]["kernel"], "scalar");
  EXPECT_EQ(json["peak"][0]["gop_s"], 1280.0);
  EXPECT_EQ(json["peak"][0]["gop_s_per_thread"], 640.0);
  EXPECT_EQ(json["peak"][1]["value"], nullptr);
  EXPECT_EQ(json["read_bound_tokens_q4_0"], 640e9 * 18 / 32 / 36e9);
}

TEST(RoofReport, JsonLines) {
  std::istringstream lines(to_text(made_up_report(), "jsonl"));
  std::vector<std::string> roofs;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json["fingerprint"], "0123456789abcdef");
    EXPECT_TRUE(json.contains("reason") || json.contains("gb_s") || json.contains("gop_s"));
    roofs.push_back(json["roof"]);
  }
  EXPECT_THAT(roofs, ElementsAre("read", "read", "read", "peak", "peak"));
}

TEST(RoofReport, Csv) {
  EXPECT_EQ(
      to_text(made_up_report(), "csv"),
      "roof,of,instruction,kernel,threads,best,median,unit,passes,busy,reason\n"
      "\"read\",\"4 KiB\",\"\",\"neon\",\"1\",\"20.000\",\"19.000\",\"GB/s\",\"5\",\"false\",\"\"\n"
      "\"read\",\"4 KiB\",\"\",\"neon\",\"2\",\"36.000\",\"35.000\",\"GB/s\",\"5\",\"false\",\"\"\n"
      "\"read\",\"huge\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"the \"\"kernel\"\" has none\"\n"
      "\"peak\",\"int8\",\"C++\",\"scalar\",\"2\",\"1280.000\",\"1200.000\",\"GOP/s\",\"4\",\"false\",\"\"\n"
      "\"peak\",\"bf16\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"no instruction for bf16 products\"\n");
}

TEST(RoofReport, Markdown) {
  const std::string text = to_text(made_up_report(), "md");
  EXPECT_THAT(text, HasSubstr("| read, pages of | kernel | threads |  GB/s | median | note |\n"
                              "| -------------- | ------ | ------: | ----: | -----: | ---: |\n"
                              "| 4 KiB          | neon   |       1 | 20.00 |  19.00 |      |\n"
                              "| 4 KiB          | neon   |       2 | 36.00 |  35.00 |      |\n"
                              "\npages of huge: the \"kernel\" has none\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "| int8          | C++         | scalar |       2 | 1280.0 | 1200.0 |      640.0 |      |\n"));
  EXPECT_THAT(text, HasSubstr("bf16: no instruction for bf16 products\n"));
  EXPECT_THAT(text, HasSubstr("at most 36.0 tokens/s for each GB of weights"));
  EXPECT_THAT(text, HasSubstr("reading decides while passes have up to 10 tokens"));
  EXPECT_THAT(text, HasSubstr("read: 256 MiB, last-level caches 32 MiB"));
}

}  // namespace
}  // namespace armature::tools::roof
