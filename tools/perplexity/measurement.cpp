#include "tools/perplexity/measurement.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "gguf/compose.h"
#include "tools/cli/output.h"
#include "tools/cli/progress.h"
#include "tools/cli/signals.h"
#include "tools/cli/units.h"
#include "tools/setup.h"

namespace armature::tools::perplexity {
namespace {

using Clock = std::chrono::steady_clock;

void tell(std::string_view line) { write_stderr_line("perplexity: ", line); }

std::size_t choose_n_sequences(const Arguments& args, const Chunks& chunks) {
  const auto n_batch = std::min(static_cast<std::size_t>(args.integer(Option::BatchSize)), kMaxContext);
  return std::clamp<std::size_t>(n_batch / chunks.n_ctx, 1, chunks.size());
}

std::string minutes_text(double seconds) {
  const auto hours = static_cast<std::uint64_t>(seconds / 3600);
  const double rest = seconds - static_cast<double>(hours) * 3600;
  return compose("{}{} minutes", hours > 0 ? compose("{} hours ", hours) : "", fixed(rest / 60, 2));
}

/// Behind the first pass.
void tell_time(double seconds, std::size_t n_rows, std::size_t n_all) {
  const double all = seconds * static_cast<double>(n_all) / static_cast<double>(n_rows);
  tell(compose("{} seconds per pass - ETA {}", fixed(seconds, 2), minutes_text(all)));
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Measurement::Measurement(std::shared_ptr<const Model> model, const Arguments& args, Subject subject)
    : model_(std::move(model)),
      args_(args),
      subject_(std::move(subject)),
      n_sequences_(choose_n_sequences(args, subject_.chunks)) {
  const std::size_t n_ctx = chunks().n_ctx;
  const DecoderOptions options = choose_decoder_options(*model_, args, n_sequences_, n_sequences_ * n_ctx);
  check_memory_of_rows(*model_, options, Runner::most_scored_rows(options.n_ubatch, n_ctx));
  if (n_ctx > model_->config().n_ctx_train) {
    write_stderr_line("note: ", compose("chunks of {} tokens; the model was trained on at most {}", n_ctx,
                                        model_->config().n_ctx_train));
  }
  decoder_.emplace(model_, options);
  tell_about_threads(*decoder_, options);
  tell(compose("{} chunks of {} tokens, {} at a time; {} tokens of each are predicted", chunks().size(),
               n_ctx, n_sequences_, chunks().n_places()));
}

bool Measurement::run(Evaluation& evaluation) {
  const Tokenizer& tokenizer = model_->tokenizer();
  Runner runner(*decoder_, chunks(), n_sequences_, tokenizer.add_bos() ? tokenizer.bos() : std::nullopt);
  // Nothing else is written to a terminal while the result is one object at the end.
  std::optional<Progress> progress;
  if (args_.is_on(Option::Json)) progress.emplace("perplexity", runner.n_rows(), "tokens");
  const auto start = Clock::now();
  bool is_first = true;
  const bool done = runner.run(evaluation, interrupted, [&](std::size_t n_rows) {
    if (progress) {
      progress->set(n_rows);
    } else if (std::exchange(is_first, false)) {
      tell_time(seconds_since(start), n_rows, runner.n_rows());
    }
  });
  seconds_ = seconds_since(start);
  if (done && model_->files().is_mapped()) model_->files().check_unchanged();
  return done;
}

RunFacts Measurement::facts() const {
  RunFacts facts;
  facts.model = model_->path();
  facts.architecture = model_->config().architecture;
  facts.type = model_->type_name();
  facts.isa = cpu::describe(model_->features());
  facts.text = subject_.text;
  facts.n_tokens = subject_.n_tokens;
  facts.n_ctx = chunks().n_ctx;
  facts.n_chunks = chunks().size();
  facts.n_places = chunks().n_places();
  facts.n_sequences = n_sequences_;
  facts.adds_bos = model_->tokenizer().add_bos();
  facts.decoder = decoder_->options();
  facts.seconds = seconds_;
  return facts;
}

}  // namespace armature::tools::perplexity
