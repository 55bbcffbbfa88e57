#include "tools/bench/options.h"

#include <unistd.h>

#include "tools/cli/value_list.h"
#include "tools/cli/values.h"
#include "tools/synth/synth_model.h"

namespace armature::tools::bench {
namespace {

std::vector<std::size_t> sizes(const Arguments& args, Option option) {
  const auto numbers = integers(args, option);
  return {numbers.begin(), numbers.end()};
}

/// Each -m: a file whose name may have commas, or several with commas between.
void add_files(const Arguments& args, std::vector<ModelChoice>& models) {
  for (const std::string& value : args.all(Option::BenchModels)) {
    const bool is_file = ::access(value.c_str(), F_OK) == 0;
    for (const std::string_view piece :
         is_file ? std::vector<std::string_view>{value} : split_at_commas(value)) {
      if (piece.empty())
        throw bad_value(flag_of(Option::BenchModels), args.name_of(Option::BenchModels), value);
      models.push_back({ModelChoice::Kind::File, std::string(piece)});
    }
  }
}

/// Those of --synth come last.
std::vector<ModelChoice> model_choices(const Arguments& args) {
  std::vector<ModelChoice> models;
  add_files(args, models);
  if (args.is_given(Option::BenchSynth)) {
    for (const std::string& choice : texts(args, Option::BenchSynth)) {
      synth::parse_choice(choice);  // what is wrong is told before anything runs
      models.push_back({ModelChoice::Kind::Synthetic, choice});
    }
  }
  if (models.empty()) models.push_back({});
  return models;
}

/// "P,G" of each -pg or -gp, numbers as -p and -n have them.
std::vector<TestLists::Tokens> pairs(const Arguments& args, Option option) {
  std::vector<TestLists::Tokens> out;
  for (const std::string& value : args.all(option)) {
    const auto pieces = split_at_commas(value);
    const bool good = pieces.size() == 2 && is_allowed(flag_of(Option::BenchPrompt), pieces[0]) &&
                      is_allowed(flag_of(Option::BenchGen), pieces[1]);
    const auto first = good ? parse_number<std::size_t>(pieces[0]) : std::nullopt;
    const auto second = good ? parse_number<std::size_t>(pieces[1]) : std::nullopt;
    if (!first || !second) throw bad_value(flag_of(option), args.name_of(option), value);
    out.push_back({*first, *second});
  }
  return out;
}

std::vector<int> flash_attention(const Arguments& args) {
  std::vector<int> out;
  for (const std::string& word : texts(args, Option::BenchFlashAttn)) {
    const auto on = switch_value(word);
    out.push_back(!on ? -1 : *on == "on" ? 1 : 0);
  }
  return out;
}

/// --load-mode, else what the two older flags stand for.
std::vector<std::string> load_modes(const Arguments& args) {
  if (args.is_given(Option::BenchLoadMode)) return texts(args, Option::BenchLoadMode);
  std::vector<std::string> out;
  if (args.is_given(Option::BenchMmap)) {
    for (const std::int64_t on : integers(args, Option::BenchMmap)) out.push_back(on != 0 ? "mmap" : "none");
  } else if (args.is_given(Option::BenchDirectIo)) {
    for (const std::int64_t on : integers(args, Option::BenchDirectIo))
      out.push_back(on != 0 ? "dio" : "auto");
  }
  return out.empty() ? texts(args, Option::BenchLoadMode) : out;
}

bool shows_details(std::string_view format) { return format == "json" || format == "jsonl"; }

}  // namespace

TestLists read_lists(const Arguments& args) {
  TestLists lists;
  lists.models = model_choices(args);
  lists.load_modes = load_modes(args);
  lists.n_batch = sizes(args, Option::BenchBatch);
  lists.n_ubatch = sizes(args, Option::BenchUbatch);
  lists.type_k = texts(args, Option::BenchTypeK);
  lists.type_v = texts(args, Option::BenchTypeV);
  lists.flash_attn = flash_attention(args);
  lists.n_threads = sizes(args, Option::BenchThreads);
  if (lists.n_threads.empty()) lists.n_threads = {0};
  lists.cpu_masks = texts(args, Option::BenchCpuMask);
  for (const std::int64_t strict : integers(args, Option::BenchCpuStrict))
    lists.cpu_strict.push_back(strict != 0);
  lists.n_depth = sizes(args, Option::BenchDepth);
  lists.poll = sizes(args, Option::BenchPoll);
  lists.n_prompt = sizes(args, Option::BenchPrompt);
  lists.n_gen = sizes(args, Option::BenchGen);
  lists.pg = pairs(args, Option::BenchPromptGen);
  lists.gp = pairs(args, Option::BenchGenAtDepth);
  return lists;
}

BenchOptions read_options(const Arguments& args) {
  BenchOptions options;
  options.repetitions = static_cast<std::size_t>(args.integer(Option::BenchRepetitions));
  options.warm_up = !args.is_on(Option::BenchNoWarmUp) && args.text(Option::BenchWarmUp) == "1";
  options.progress = args.is_on(Option::BenchProgress);
  options.delay = std::chrono::seconds(args.integer(Option::BenchDelay));
  options.output = args.text(Option::BenchOutput);
  options.output_err = args.text(Option::BenchOutputErr) == "none" ? "" : args.text(Option::BenchOutputErr);
  options.roofs = !args.is_on(Option::BenchNoRoof) &&
                  (shows_details(options.output) || shows_details(options.output_err));
  options.compat = args.text(Option::BenchCompat) == "2025" ? Compat::Year2025 : Compat::Year2026;
  options.numa = args.text(Option::Numa);
  return options;
}

}  // namespace armature::tools::bench
