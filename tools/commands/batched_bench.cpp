#include "tools/commands/batched_bench.h"

#include <algorithm>
#include <utility>

#include "engine/decoder.h"
#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/batched_bench/decoder_work.h"
#include "tools/batched_bench/options.h"
#include "tools/batched_bench/row_writer.h"
#include "tools/bench/hash.h"
#include "tools/bench/host.h"
#include "tools/bench/model_name.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

using namespace batched;

constexpr std::size_t kWarmUpTokens = 16;

Settings settings_of(const Arguments& args, const DecoderOptions& options) {
  const Mode mode = read_mode(args);
  return {.is_sweep = args.is_on(Option::Sweep),
          .n_kv_max = options.n_ctx,
          .n_batch = static_cast<std::size_t>(args.integer(Option::BatchSize)),
          .n_ubatch = static_cast<std::size_t>(args.integer(Option::UbatchSize)),
          .flash_attn = read_flash_attention(args),
          .shared_prompt = mode.shared_prompt,
          .one_by_one = mode.one_by_one,
          .n_threads = options.n_threads,
          .n_threads_batch = options.n_threads_batch};
}

Origin origin_of(const Model& model) {
  return {.model_file = model.path(),
          .model_name = bench::model_name(model.config(), model.files()),
          .model_hash = bench::model_hash(model.files()),
          .host = bench::read_host().fingerprint()};
}

RowWriter::Options writer_options(const Arguments& args) {
  const bool jsonl = args.text(Option::BatchedOutput) == "jsonl";
  return {.format = jsonl ? RowWriter::Format::Jsonl : RowWriter::Format::Markdown,
          .with_memory = args.is_on(Option::SweepMemory),
          .repetitions = static_cast<std::size_t>(args.integer(Option::BatchedRepetitions))};
}

/// The measurements of one command line. Results go to standard output when they are there.
class Runner {
 public:
  Runner(const Arguments& args, Decoder& decoder, std::size_t n_sequences)
      : args_(args),
        decoder_(decoder),
        work_(decoder, static_cast<std::size_t>(args.integer(Option::BatchSize)), n_sequences),
        writer_(writer_options(args), settings_of(args, decoder.options()), origin_of(decoder.model())) {}

  /// False when it was interrupted, as below.
  bool run(std::span<const Case> rows) {
    if (!warm_up()) return false;
    writer_.write_head();
    return args_.is_on(Option::Sweep) ? run_steps() : run_rows(rows);
  }

 private:
  bool warm_up() {
    const DecoderOptions& options = decoder_.options();
    const bool is_step = args_.is_on(Option::Sweep) && args_.is_on(Option::SweepWarmUp);
    if (!is_step && !args_.is_on(Option::BatchedWarmUp)) return true;
    return work_.process_prompts(1, is_step ? options.n_ubatch : std::min(kWarmUpTokens, options.n_ctx));
  }

  bool run_rows(std::span<const Case> rows) {
    const Mode mode = read_mode(args_);
    const auto repetitions = static_cast<std::size_t>(args_.integer(Option::BatchedRepetitions));
    std::size_t n_skipped = 0;
    for (const Case& row : rows) {
      if (skip(row, mode)) {
        ++n_skipped;
        continue;
      }
      auto measured = measure(work_, row, mode, repetitions, bench::steady_now);
      if (!measured) return false;
      take(result_of(row, mode, std::move(*measured)));
    }
    if (n_skipped > 0)
      write_stderr_line("note: ", compose("{} of {} rows skipped; -c {} or more would hold them all",
                                          n_skipped, rows.size(), largest(rows, mode)));
    return true;
  }

  /// Tells it when the cache does not hold the row.
  bool skip(const Case& row, const Mode& mode) const {
    const std::size_t needed = cells_needed(row, mode), n_cells = decoder_.options().n_ctx;
    if (needed <= n_cells) return false;
    write_stderr_line("skipped: ", compose("PP {}, TG {}, B {}: {} cells are needed, {} are there",
                                           row.n_prompt, row.n_gen, row.n_sequences, needed, n_cells));
    return true;
  }

  static std::size_t largest(std::span<const Case> rows, const Mode& mode) {
    std::size_t most = 0;
    for (const Case& row : rows) most = std::max(most, cells_needed(row, mode));
    return most;
  }

  bool run_steps() {
    const DecoderOptions& options = decoder_.options();
    const Sweep sweep = read_sweep(args_, options.n_ubatch, options.n_ctx);
    const auto end = run_sweep(work_, sweep, bench::steady_now, [this](Result result) {
      result.peak_rss = peak_rss();
      take(result);
    });
    if (!end) return false;
    if (*end < options.n_ctx)
      write_stderr_line("skipped: ", compose("N_KV {}: {} cells are needed, {} are there", *end,
                                             cells_needed(sweep, *end), options.n_ctx));
    return true;
  }

  void take(const Result& result) const {
    const gguf::ModelFiles& files = decoder_.model().files();
    if (files.is_mapped()) files.check_unchanged();
    writer_.write(result);
  }

  const Arguments& args_;
  Decoder& decoder_;
  DecoderWork work_;
  RowWriter writer_;
};

}  // namespace

int run_batched_bench(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (!args.words().empty())
    throw UsageError(compose("the command takes no words, found {}", quote(args.words().front())));
  const Mode mode = read_mode(args);
  const std::vector<Case> rows = args.is_on(Option::Sweep) ? std::vector<Case>() : read_cases(args);
  for (const std::string& line : notes_on(args)) write_stderr_line("note: ", line);

  const auto model = load_model(args);
  tell_about_model(*model, args);
  const auto n_ctx = static_cast<std::size_t>(args.integer(Option::CtxSize));
  const std::size_t n_sequences = most_sequences(rows, mode, n_ctx);
  const DecoderOptions options = choose_decoder_options(*model, args, counted_sequences(n_sequences, mode));
  check_memory_of_rows(*model, options, n_sequences);

  Decoder decoder(model, options);
  tell_about_threads(decoder, options);
  return Runner(args, decoder, n_sequences).run(rows) ? 0 : kInterruptedStatus;
}

}  // namespace armature::tools
