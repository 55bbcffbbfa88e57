#include "tools/setup.h"

#include <algorithm>
#include <random>

#include "engine/affinity.h"
#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/builtin/builtin.h"
#include "tools/cli/output.h"
#include "tools/cli/progress.h"
#include "tools/cli/protected_files.h"
#include "tools/cli/signals.h"
#include "tools/cli/units.h"
#include "tools/key_overrides.h"
#include "tools/placement.h"
#include "tools/priority.h"

namespace armature::tools {
namespace {

void note(std::string_view line) { write_stderr_line("note: ", line); }
void tell(std::string_view line) { write_stderr_line("", line); }

/// Tells the SIGBUS handler where the files lie, and keeps them from being replaced.
void watch_files(const gguf::ModelFiles& files) {
  std::vector<MappedRange> ranges;
  for (const gguf::File& file : files.files()) {
    protect_file(file.name(), "the model in use");
    if (!files.is_mapped() || file.tensors.empty()) continue;
    const gguf::TensorInfo& tensor = file.tensors.front();
    ranges.push_back({file.name(), {tensor.data - tensor.offset, file.size}});
  }
  watch_mapped_ranges(ranges);
}

bool is_auto(const Arguments& args, Option option) {
  return args.text(option) == "auto" || args.text(option) == "-1";
}

/// As many threads as asked for, or as the chosen CPUs or else the machine can use.
void choose_thread_count(const Arguments& args, const Placement& placement, DecoderChoice& choice) {
  const std::size_t n_cpus = placement.cpus.size();
  const auto count = [](std::size_t n) { return compose("{} {}", n, n == 1 ? "CPU" : "CPUs"); };
  const std::string cpus = compose("{} of {}", count(n_cpus), placement.chosen);
  if (!is_auto(args, Option::Threads)) {
    choice.options.n_threads = static_cast<std::size_t>(args.integer(Option::Threads));
    const std::size_t n = n_allowed_cpus();
    choice.threads_reason = n_cpus > 0 ? compose("as asked, on {}", cpus)
                                       : compose("as asked; {} {} allowed", count(n), n == 1 ? "is" : "are");
    return;
  }
  const ThreadChoice threads = choose_threads();
  const bool by_cpus = placement.by_number || (n_cpus > 0 && n_cpus < threads.n_threads);
  choice.options.n_threads = by_cpus ? n_cpus : threads.n_threads;
  choice.threads_reason = by_cpus ? cpus : threads.reason;
}

void place_threads(const Arguments& args, DecoderChoice& choice) {
  const Machine machine = this_machine();
  const Placement placement = choose_placement(args, machine, false);
  choose_thread_count(args, placement, choice);
  const Placement prompt = choose_placement(args, machine, true);
  choice.options.threads = placement.threads;
  choice.options.threads_batch = prompt.threads;
  if (!is_auto(args, Option::ThreadsBatch)) {
    choice.options.n_threads_batch = static_cast<std::size_t>(args.integer(Option::ThreadsBatch));
  } else if (prompt.by_number && prompt.cpus != placement.cpus) {
    choice.options.n_threads_batch = prompt.cpus.size();
  }
  choice.notes = placement_notes(args, machine);
}

/// What holds for the whole process. The thread that runs the program is the first of the team: it stays
/// where the team binds it, between passes too.
void set_up_process(const DecoderOptions& options, const Arguments& args) {
  if (!options.threads.places.empty()) bind_thread(CpuMask(options.threads.places.front()));
  if (const auto refused = set_priorities(args)) note(*refused);
}

/// n_ctx as asked, or as much as there is room for.
void choose_context(const Model& model, DecoderChoice& choice) {
  const std::size_t limit = model.config().n_ctx_train;
  if (choice.options.n_ctx != 0) {
    choice.context_reason = compose("as asked; the model's limit is {}", limit);
    return;
  }
  const std::size_t available = available_memory();
  const std::size_t n_ctx = choose_n_ctx(model, choice.options, available);
  choice.options.n_ctx = n_ctx;
  choice.context_reason = "the model's limit";
  if (n_ctx < limit && n_ctx == kMaxContext) {
    choice.context_reason = compose("the most that is supported; the model's limit is {}", limit);
  } else if (n_ctx < limit) {
    choice.context_reason =
        compose("what {} of memory hold; the model's limit is {}", size_text(available), limit);
  }
}

std::shared_ptr<const Model> load_with(LoadOptions options, cpu::Features features, const Arguments& args) {
  options.features = features;
  options.overrides = key_overrides(args);
  if (!args.is_given(Option::Model)) return load_model(std::nullopt, options);
  return load_model(std::string(args.text(Option::Model)), options);
}

}  // namespace

LoadOptions load_mode(const Arguments& args) {
  const std::string_view mode = args.text(Option::LoadMode);
  if (mode != "auto") return load_options(mode);
  LoadOptions options;
  options.access = args.is_on(Option::Mmap) ? gguf::Access::Map : gguf::Access::Read;
  options.lock = args.is_on(Option::Mlock);
  return options;
}

cpu::Features choose_features(const Arguments& args) {
  if (!args.is_given(Option::Isa)) return cpu::detect();
  try {
    return cpu::mask(args.text(Option::Isa), cpu::detect());
  } catch (const Error& error) {
    throw UsageError(compose("{}: {}", args.name_of(Option::Isa), error.what()));
  }
}

std::string_view features_masked_by(const Arguments& args) {
  return choose_features(args) == cpu::detect() ? "" : args.name_of(Option::Isa);
}

gguf::TensorType cache_type(std::string_view word) {
  return word == "f32" ? gguf::TensorType::F32 : gguf::TensorType::F16;
}

LoadOptions load_options(std::string_view mode) {
  LoadOptions options;
  const bool maps = mode == "auto" || mode.starts_with("mmap");
  options.access = maps ? gguf::Access::Map : gguf::Access::Read;
  options.lock = mode.ends_with("mlock");
  return options;
}

std::shared_ptr<const Model> load_model(const std::optional<std::string>& path, const LoadOptions& options) {
  if (!path) return Model::load(builtin_model(), kBuiltinName, options);
  watch_file_being_mapped(*path);
  const Progress progress(compose("loading {}", quote(*path)));
  auto model = Model::load(*path, options);
  watch_files(model->files());
  return model;
}

std::shared_ptr<const Model> load_model(const Arguments& args) {
  LoadOptions options = load_mode(args);
  if (options.lock && !args.is_given(Option::Model)) note("the built-in model is not locked in memory");
  return load_with(std::move(options), choose_features(args), args);
}

std::shared_ptr<const Model> map_model(const Arguments& args) {
  return map_model(args, choose_features(args));
}

std::shared_ptr<const Model> map_model(const Arguments& args, cpu::Features features) {
  return load_with({}, features, args);
}

void tell_warnings(std::span<const std::string> warnings, const Arguments& args) {
  // A damaged vocabulary can have a warning for each of its tokens.
  constexpr std::size_t kMostWarnings = 4;
  const std::size_t n =
      args.is_on(Option::Verbose) ? warnings.size() : std::min(warnings.size(), kMostWarnings);
  for (std::size_t i = 0; i < n; ++i) write_stderr_line("warning: ", warnings[i]);
  if (n < warnings.size()) tell(compose("{} more warnings; -v shows all", warnings.size() - n));
}

void tell_about_model(const Model& model, const Arguments& args) {
  tell_warnings(model.warnings(), args);
  for (const std::string& line : model.notes()) note(line);
  if (!args.is_on(Option::Verbose)) return;
  for (const KernelChoice& choice : plan_kernels(model, args)) write_stderr_line("kernel: ", to_line(choice));
}

gguf::ModelFiles open_model_files(const Arguments& args) {
  if (!args.is_given(Option::Model)) return open_model_files(std::nullopt, args);
  return open_model_files(std::string(args.text(Option::Model)), args);
}

gguf::ModelFiles open_model_files(const std::optional<std::string>& path, const Arguments& args) {
  if (path) watch_file_being_mapped(*path);
  auto files = path ? gguf::ModelFiles::open(*path, gguf::Access::Map)
                    : gguf::ModelFiles::from_memory(builtin_model(), kBuiltinName);
  watch_files(files);
  for (const std::string& line : files.replace_keys(key_overrides(args)))
    write_stderr_line("warning: ", line);
  return files;
}

TextModel load_text_model(const Arguments& args) {
  auto files = open_model_files(args);
  auto tokenizer = Tokenizer::from(files.metadata());
  return {std::move(files), std::move(tokenizer)};
}

DecoderChoice plan_decoder(const Model& model, const Arguments& args, std::size_t n_sequences,
                           std::size_t n_ctx) {
  DecoderChoice choice;
  DecoderOptions& options = choice.options;
  options.type_k = cache_type(args.text(Option::CacheTypeK));
  options.type_v = cache_type(args.text(Option::CacheTypeV));
  options.batch_invariant = args.is_on(Option::BatchInvariant);
  options.n_sequences = n_sequences;
  place_threads(args, choice);
  options.n_ctx = n_ctx != 0 ? n_ctx : static_cast<std::size_t>(args.integer(Option::CtxSize));
  options.n_ubatch =
      static_cast<std::size_t>(std::min(args.integer(Option::UbatchSize), args.integer(Option::BatchSize)));
  const std::size_t most = options.n_ctx > 0 ? options.n_ctx : model.config().n_ctx_train;
  options.n_ubatch = std::min(options.n_ubatch, most);
  if (args.is_given(Option::Keep) && !args.is_on(Option::ContextShift))
    choice.notes.push_back(compose("{} has no effect without --context-shift", args.name_of(Option::Keep)));
  choose_context(model, choice);
  if (n_ctx != 0) choice.context_reason = compose("sequences: {}", n_sequences);
  options.n_ubatch = std::min(options.n_ubatch, options.n_ctx);
  return choice;
}

DecoderOptions choose_decoder_options(const Model& model, const Arguments& args, std::size_t n_sequences,
                                      std::size_t n_ctx) {
  const DecoderChoice choice = plan_decoder(model, args, n_sequences, n_ctx);
  const DecoderOptions& options = choice.options;
  for (const std::string& line : choice.notes) note(line);
  tell(compose("threads: {} ({})", options.n_threads, choice.threads_reason));
  if (n_ctx != 0 || args.integer(Option::CtxSize) != 0)
    check_memory(plan_memory(model, options), available_memory());
  tell(compose("context: {} ({})", options.n_ctx, choice.context_reason));
  set_up_process(options, args);
  return options;
}

void check_memory_of_rows(const Model& model, const DecoderOptions& options, std::size_t n_rows) {
  MemoryPlan plan = plan_memory(model, options);
  plan.scratch_bytes += (std::min(n_rows, options.n_ubatch) - 1) * model.config().n_vocab * sizeof(float);
  check_memory(plan, available_memory());
}

std::vector<KernelChoice> plan_kernels(const Model& model, const Arguments& args) {
  KernelPlanOptions options;
  options.type_k = cache_type(args.text(Option::CacheTypeK));
  options.type_v = cache_type(args.text(Option::CacheTypeV));
  options.features = model.features();
  return kernel_plan(model.config(), model.weights(), options);
}

void tell_about_threads(const Decoder& decoder, const DecoderOptions& asked) {
  const std::size_t n = decoder.options().n_threads;
  if (n < asked.n_threads) note(compose("the system grants {} of the {} threads", n, asked.n_threads));
}

SamplerOptions sampler_options(const Arguments& args) {
  SamplerOptions options;
  options.temperature = static_cast<float>(args.real(Option::Temperature));
  options.top_k = args.integer(Option::TopK);
  options.top_p = static_cast<float>(args.real(Option::TopP));
  options.min_p = static_cast<float>(args.real(Option::MinP));
  options.repeat_penalty = static_cast<float>(args.real(Option::RepeatPenalty));
  options.repeat_last_n = args.integer(Option::RepeatLastN);
  options.presence_penalty = static_cast<float>(args.real(Option::PresencePenalty));
  options.frequency_penalty = static_cast<float>(args.real(Option::FrequencyPenalty));
  const std::int64_t seed = args.integer(Option::Seed);
  options.seed = seed < 0 ? std::random_device()() : static_cast<std::uint32_t>(seed);
  return options;
}

Sampler make_sampler(const SamplerOptions& options, const Tokenizer& tokenizer,
                     std::span<const TokenId> end_tokens, const Arguments& args) {
  Sampler sampler(options, tokenizer.n_vocab());
  if (!args.is_on(Option::IgnoreEos)) return sampler;
  for (std::size_t i = 0; i < tokenizer.n_vocab(); ++i) {
    const auto token = static_cast<TokenId>(i);
    if (tokenizer.is_end_of_generation(token)) sampler.ban(token);
  }
  for (const TokenId token : end_tokens) sampler.ban(token);
  return sampler;
}

}  // namespace armature::tools
