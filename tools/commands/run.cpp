#include "tools/commands/run.h"

#include <unistd.h>

#include <algorithm>

#include "engine/machine.h"
#include "gguf/compose.h"
#include "tools/answer/generate.h"
#include "tools/answer/prompt.h"
#include "tools/answer/prompt_source.h"
#include "tools/answer/report.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/commands/chat.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

void note(std::string_view line) { write_stderr_line("note: ", line); }

/// The prompt as --echo shows it: as it would look in an answer.
void echo(const std::string& prompt) {
  AnswerText text({}, true);
  text.push(prompt);
  text.finish();
}

/// True without a prompt where a person can be asked for messages.
bool wants_chat(const Arguments& args) {
  const bool raw = args.is_given(Option::Conversation) && !args.is_on(Option::Conversation);
  return !has_prompt(args) && !raw && !args.is_on(Option::Ids) && ::isatty(STDIN_FILENO) != 0;
}

/// Where the prompt is not in the words after the flags.
void note_unused_words(const Arguments& args) {
  for (const Option option : {Option::Prompt, Option::File, Option::BinaryFile}) {
    if (!args.is_given(option)) continue;
    note(compose("the prompt is that of {}; the words after the flags, {} and on, are not used",
                 args.name_of(option), quote(args.words().front())));
    return;
  }
}

/// How many tokens of the prompt a context shift keeps.
std::size_t n_kept(const EncodedPrompt& prompt, const Tokenizer& tokenizer, const Arguments& args) {
  const std::int64_t asked = args.integer(Option::Keep);
  const std::size_t n_bos = prompt.tokens.front() == tokenizer.bos() ? 1 : 0;
  const std::size_t n = prompt.tokens.size();
  return asked < 0 ? n : std::clamp(static_cast<std::size_t>(asked), n_bos, n);
}

RunReport make_report(const Model& model, const Decoder& decoder, const Arguments& args) {
  RunReport report;
  report.model = {model.path(), model.config().architecture, std::string(model.type_name()), model.bytes()};
  report.memory.weights = model.bytes();
  report.memory.weights_are = !args.is_given(Option::Model) ? "in the program"
                              : model.files().is_mapped()   ? "mapped"
                                                            : "read";
  report.memory.kv = decoder.kv_cache().committed_bytes();
  report.memory.kv_full = decoder.memory().kv_bytes;
  report.memory.scratch = decoder.memory().scratch_bytes;
  report.memory.peak_rss = peak_rss();
  report.n_threads = decoder.options().n_threads;
  report.isa = cpu::describe(model.features());
  return report;
}

void print_report(const RunReport& report, const Arguments& args) {
  if (args.is_on(Option::Json)) {
    write_stdout(to_json(report));
  } else if (args.is_on(Option::Ids)) {
    write_stdout(ids_text(report.generation.tokens) + "\n");
  } else if (::isatty(STDOUT_FILENO) != 0) {
    write_stdout("\n");
  }
  for (const std::string& line : to_lines(report)) write_stderr_line("", line);
}

}  // namespace

int run(const Arguments& args, std::chrono::steady_clock::time_point start) {
  if (wants_chat(args)) return chat(args, start);
  if (!args.words().empty()) note_unused_words(args);
  const SamplerOptions sampling = sampler_options(args);
  const std::string prompt_text = read_prompt(args);

  const auto load_start = Clock::now();
  const auto model = load_model(args);
  const auto load_time = Clock::now() - load_start;
  tell_about_model(*model, args);
  const EncodedPrompt prompt = encode_prompt(*model, args, prompt_text);
  for (const std::string& line : prompt.notes) note(line);
  if (args.is_on(Option::Verbose) || args.is_on(Option::VerbosePrompt))
    write_stderr_line("prompt: ", ids_text(prompt.tokens));
  const DecoderOptions options = choose_decoder_options(*model, args);
  if (prompt.tokens.size() > options.n_ctx) {
    throw Error(ErrorCode::prompt_too_long, compose("the prompt has {} tokens, the context {}; -c sets it",
                                                    prompt.tokens.size(), options.n_ctx));
  }
  if (interrupted()) return kInterruptedStatus;

  Decoder decoder(model, options);
  tell_about_threads(decoder, options);
  Sampler sampler = make_sampler(sampling, model->tokenizer(), prompt.end_tokens, args);
  const bool streamed = !args.is_on(Option::Json) && !args.is_on(Option::Ids);
  const bool echoes = args.is_on(Option::Echo);
  if (streamed && echoes) echo(prompt.text);
  AnswerText answer(stop_strings(args), streamed);
  Sequence sequence = decoder.new_sequence();
  const GenerateOptions generate_options{.n_predict = args.integer(Option::NPredict),
                                         .end_tokens = prompt.end_tokens,
                                         .context_shift = args.is_on(Option::ContextShift),
                                         .n_keep = n_kept(prompt, model->tokenizer(), args),
                                         .progress = !(streamed && echoes)};
  Generation generation = generate(decoder, sequence, sampler, prompt.tokens, generate_options, answer);

  RunReport report = make_report(*model, decoder, args);
  report.text = answer.text();
  if (echoes) report.prompt = prompt.text;
  report.generation = std::move(generation);
  report.n_prompt = prompt.tokens.size();
  report.seed = sampling.seed;
  report.load = load_time;
  report.total = Clock::now() - start;
  print_report(report, args);
  if (report.generation.n_dropped > 0)
    note(compose("the context was full: the oldest {} tokens were dropped", report.generation.n_dropped));
  return report.generation.reason == StopReason::Interrupted ? kInterruptedStatus : 0;
}

}  // namespace armature::tools
