#include "tools/commands/bench_roof.h"

#include <algorithm>

#include "engine/machine.h"
#include "gguf/compose.h"
#include "tools/bench/host.h"
#include "tools/bench/options.h"
#include "tools/bench/thread_plan.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/priority.h"
#include "tools/roof/roof_report.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

using namespace roof;

constexpr Option kOfModels[] = {
    Option::BenchModels,    Option::BenchSynth,      Option::BenchPrompt,   Option::BenchGen,
    Option::BenchPromptGen, Option::BenchGenAtDepth, Option::BenchDepth,    Option::BenchBatch,
    Option::BenchUbatch,    Option::BenchTypeK,      Option::BenchTypeV,    Option::BenchFlashAttn,
    Option::BenchLoadMode,  Option::BenchMmap,       Option::BenchDirectIo, Option::BenchRepetitions,
    Option::BenchNoWarmUp,  Option::BenchWarmUp,     Option::BenchDelay,    Option::BenchCompat,
    Option::BenchNoRoof,    Option::OverrideKv};

void note_what_makes_no_difference(const Arguments& args, const bench::TestLists& lists) {
  std::string names;
  for (const Option option : kOfModels)
    if (args.is_given(option)) names += compose("{}{}", names.empty() ? "" : ", ", args.name_of(option));
  if (!names.empty()) write_stderr_line("note: ", compose("--roof runs no model; without effect: {}", names));
  if (lists.cpu_masks.size() > 1 || lists.cpu_strict.size() > 1 || lists.poll.size() > 1)
    write_stderr_line("note: ", "--roof takes the first value of -C, --cpu-strict and --poll");
}

/// Threads as for a test, and as many as the largest number asked for.
bench::ThreadPlan plan(const bench::TestLists& lists, std::string_view numa) {
  bench::Test test;
  test.n_threads = *std::max_element(lists.n_threads.begin(), lists.n_threads.end());
  test.cpu_mask = lists.cpu_masks.front();
  test.cpu_strict = lists.cpu_strict.front();
  test.poll = lists.poll.front();
  return bench::plan_threads(test, numa, this_machine());
}

/// Those asked for that are to be had, and one to compare them with, ascending; without any, `otherwise`.
std::vector<std::size_t> thread_counts(std::vector<std::size_t> asked, std::size_t most,
                                       std::vector<std::size_t> otherwise) {
  std::erase_if(asked, [most](std::size_t n) { return n == 0 || n > most; });
  if (asked.empty()) return otherwise;
  asked.push_back(1);
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return asked;
}

RoofOptions roof_options(const bench::TestLists& lists, std::size_t most, const Arguments& args) {
  RoofOptions options;
  options.read_threads = thread_counts(lists.n_threads, most, roof_thread_counts(most));
  options.peak_threads =
      thread_counts(lists.n_threads, most, most == 1 ? std::vector{most} : std::vector{std::size_t{1}, most});
  options.features = choose_features(args);
  options.pages = page_sizes();
  options.buffer_bytes = read_buffer_bytes(BufferSize::Large, last_level_cache_bytes(), most,
                                           available_memory(), options.pages.huge);
  options.has_nodes = machine::numa_nodes("/").size() > 1;
  options.read_passes = kThoroughRead;
  options.peak_passes = kThoroughPeak;
  return options;
}

/// Refuses what has no meaning here.
bench::BenchOptions checked_options(const Arguments& args) {
  const bench::BenchOptions options = bench::read_options(args);
  for (const Option option : {Option::BenchOutput, Option::BenchOutputErr})
    if (args.text(option) == "sql")
      throw UsageError(
          compose("{}: value 'sql'; with --roof allowed: md, csv, json, jsonl", args.name_of(option)));
  return options;
}

}  // namespace

int run_roof(const Arguments& args) {
  const bench::BenchOptions options = checked_options(args);
  const bench::TestLists lists = bench::read_lists(args);
  const bench::ThreadPlan threads = plan(lists, options.numa);
  note_what_makes_no_difference(args, lists);
  if (const auto refused = set_priorities(args)) write_stderr_line("note: ", *refused);

  Team team(threads.n_threads, {threads.options});
  RoofReport report;
  report.threads_reason = threads.reason;
  const std::size_t n_threads = count_threads(team);
  if (n_threads < threads.n_threads)
    report.threads_reason += compose("; the system grants {} of {}", n_threads, threads.n_threads);
  const auto roofs =
      measure_roofs(roof_options(lists, n_threads, args), {team, bench::steady_now, interrupted});
  if (!roofs) return kInterruptedStatus;
  if (is_busy(*roofs))
    write_stderr_line("note: ", "something else keeps the machine busy: rows with this note are no roofs");
  const bench::HostFacts host = bench::read_host();
  report.cpu_info = host.cpu_info;
  report.features = host.features;
  report.fingerprint = host.fingerprint();
  report.cache_bytes = last_level_cache_bytes();
  report.roofs = *roofs;
  write_stdout(to_text(report, options.output));
  if (!options.output_err.empty()) write_results_to_stderr(to_text(report, options.output_err));
  return 0;
}

}  // namespace armature::tools
