#include "tools/commands/perplexity.h"

#include <optional>
#include <string>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt_source.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/perplexity/evaluations.h"
#include "tools/perplexity/json_report.h"
#include "tools/perplexity/measurement.h"
#include "tools/perplexity/subject.h"
#include "tools/perplexity/text_report.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

using namespace perplexity;

void check_arguments(const Arguments& args) {
  if (!args.words().empty()) {
    throw UsageError(
        compose("the command takes no words, found {}; -f FILE gives the text", quote(args.words().front())));
  }
  const bool compares = args.is_on(Option::KlDivergence);
  if (compares && !args.is_given(Option::KlBase))
    throw UsageError(
        "--kl-divergence needs --kl-divergence-base FILE, which a run with another model writes");
  if (compares) return;
  if (!has_prompt(args)) throw UsageError("no text; give one with -f FILE");
  if (args.text(Option::KlBase) == "-")
    throw UsageError("--kl-divergence-base -: standard output has the perplexities; give a file");
}

int measure_text(Measurement& measurement, const Arguments& args) {
  const bool is_json = args.is_on(Option::Json), has_lines = args.text(Option::PplOutputType) == "1";
  const Chunks& chunks = measurement.chunks();
  const std::size_t n_vocab = measurement.model().config().n_vocab;
  std::optional<KlFileWriter> writer;
  if (args.is_given(Option::KlBase)) {
    writer.emplace(std::string(args.text(Option::KlBase)));
    writer->write_head(chunks, n_vocab);
  }
  Likelihood likelihood(
      chunks.n_places(), n_vocab, writer ? &*writer : nullptr,
      [&](std::size_t chunk, const RunningMean& nll) {
        if (is_json) return;
        write_stdout(has_lines ? running_line(chunk * chunks.n_ctx, nll) : running_text(chunk, nll));
      });
  const bool done = measurement.run(likelihood);
  if (!is_json && !has_lines && likelihood.nll().n() > 0) write_stdout("\n");
  if (!done) return kInterruptedStatus;
  if (writer) writer->commit();
  if (is_json) {
    write_stdout(to_json(measurement.facts(), likelihood));
  } else {
    write_stderr(final_line(likelihood.nll()));
  }
  return 0;
}

int compare_with_base(Measurement& measurement, KlFileReader& base, const Arguments& args) {
  const bool is_json = args.is_on(Option::Json);
  Comparison comparison(base, [&](std::size_t chunk, const Divergence& divergence) {
    if (is_json) return;
    if (chunk == 0) write_stdout("\n" + divergence_head());
    write_stdout(divergence_line(chunk, divergence));
  });
  if (!measurement.run(comparison)) return kInterruptedStatus;
  write_stdout(is_json ? to_json(measurement.facts(), comparison, base.name())
                       : "\n" + divergence_text(comparison.divergence()));
  return 0;
}

}  // namespace

int measure_perplexity(const Arguments& args, std::chrono::steady_clock::time_point) {
  check_arguments(args);
  const std::optional<Text> text = read_text(args);
  const auto base = open_base(args);
  const auto model = load_model(args);
  tell_about_model(*model, args);
  if (base) check_vocabulary(*base, model->config().n_vocab);
  Measurement measurement(model, args, choose_subject(args, model->tokenizer(), text, base.get()));
  return base ? compare_with_base(measurement, *base, args) : measure_text(measurement, args);
}

}  // namespace armature::tools
