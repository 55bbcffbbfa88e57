#include "tools/bench/session.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "engine/machine.h"
#include "gguf/compose.h"
#include "tools/bench/decoder_work.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/setup.h"

namespace armature::tools::bench {
namespace {

/// Now, in the form "2026-08-22T10:20:30Z".
std::string utc_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::array<char, 32> text{};
  ::gmtime_r(&now, &parts);
  const std::size_t n = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), n};
}

DecoderOptions decoder_options(const Test& test, const ThreadPlan& threads) {
  DecoderOptions options;
  options.n_ctx = test.n_ctx();
  // The tokens of the depth are kept beside the sequence that goes on from them: room for a copy of its last
  // page, and for what the two leave empty of theirs.
  options.n_sequences = test.n_depth > 0 ? 3 : 1;
  options.n_ubatch = std::min(test.pass_rows(), test.n_ctx());
  options.n_threads = threads.n_threads;
  options.threads = threads.options;
  options.type_k = cache_type(test.type_k);
  options.type_v = cache_type(test.type_v);
  return options;
}

KernelPlanOptions kernel_options(const Test& test, const Model& model) {
  KernelPlanOptions options;
  options.type_k = cache_type(test.type_k);
  options.type_v = cache_type(test.type_v);
  options.features = model.features();
  return options;
}

double kv_bytes_per_token(const Decoder& decoder, const Test& test) {
  if (test.n_gen == 0) return 0;
  return mean_kv_bytes(decoder.model().config(), decoder.kv_cache().layout(), test.n_depth + test.n_prompt,
                       test.n_gen);
}

}  // namespace

Session::Session(BenchOptions options, LoadOptions load_options)
    : options_(std::move(options)),
      load_options_(std::move(load_options)),
      host_(read_host()),
      machine_(this_machine()),
      sensors_("/", machine_.allowed) {}

void Session::check(std::span<const Test> tests) const {
  for (const Test& test : tests) plan_threads(test, options_.numa, machine_);
}

/// Before the model is loaded, so that memory that is read here drives none of its pages out. False when it
/// was interrupted.
bool Session::need_roofs(const ThreadPlan& threads, const StepNotice& notice) {
  if (!options_.roofs) return true;
  const bool is_new = !roofs_.has(threads);
  if (is_new) {
    notice("what the machine can do");
    memory_.pause();
  }
  test_roofs_ = roofs_.find(threads, load_options_.features);
  if (is_new) memory_.resume();
  return test_roofs_ != nullptr;
}

void Session::need_model(const Test& test) {
  if (loaded_.model != nullptr && same_model(loaded_for_, test)) return;
  watch_mapped_ranges({});  // the other model goes
  loaded_.model.reset();    // before what it may lie in
  loaded_ = {};
  LoadOptions options = tools::load_options(test.load_mode);
  options.features = load_options_.features;
  options.overrides = load_options_.overrides;
  loaded_ = load(test, options);
  loaded_for_ = test;
  if (on_load) on_load(loaded_);
}

std::optional<Record> Session::run(const Test& test, const std::string& title) {
  const StepNotice notice = [&](std::string_view step) {
    if (options_.progress) write_stderr_line("", compose("{}: {}", title, step));
  };
  const ThreadPlan threads = plan_threads(test, options_.numa, machine_);
  if (!need_roofs(threads, notice)) return std::nullopt;
  need_model(test);
  const std::size_t limit = loaded_.model->config().n_ctx_train;
  if (test.n_ctx() > limit)
    write_stderr_line("note: ", compose("{} takes {} positions; the model's limit is {}", label(test),
                                        test.n_ctx(), limit));
  if (interrupted()) return std::nullopt;

  const DecoderOptions options = decoder_options(test, threads);
  const auto start = steady_now();
  Decoder decoder(loaded_.model, options);
  Record record;
  record.details.make_decoder = steady_now() - start;
  tell_about_threads(decoder, options);
  record.test_time = utc_time();
  record.host = host_;
  record.model = loaded_.facts;
  record.test = test;
  record.n_threads = decoder.options().n_threads;
  record.details.threads_reason = threads.reason;
  if (record.n_threads < options.n_threads)
    record.details.threads_reason +=
        compose("; the system grants {} of {}", record.n_threads, options.n_threads);

  check_output(decoder, record);
  DecoderWork work(decoder, test.n_batch);
  RunSensors sensors(sensors_);
  auto repetitions = measure(work,
                             {.n_prompt = test.n_prompt,
                              .n_gen = test.n_gen,
                              .n_depth = test.n_depth,
                              .repetitions = options_.repetitions,
                              .warm_up = options_.warm_up},
                             steady_now, notice,
                             {[&] { sensors.before_repetition(); }, [&] { sensors.after_repetition(); }});
  if (!repetitions) return std::nullopt;
  if (loaded_.model->files().is_mapped()) loaded_.model->files().check_unchanged();
  record.repetitions = std::move(*repetitions);
  record.details.sensors = sensors.observations();
  fill_details(decoder, record);
  return record;
}

/// Whether the kernels of this run compute what they should. That its logits are finite is for the decoder to
/// see.
void Session::check_output(const Decoder& decoder, Record& record) {
  const Model& model = decoder.model();
  Details& details = record.details;
  details.kernels = kernel_plan(model.config(), model.weights(), kernel_options(record.test, model));
  const auto fault = checker_.fault_of(details.kernels);
  details.output_check = fault ? Reading{0, *fault} : Reading{1};
  if (fault) write_stderr_line("warning: ", compose("a kernel is wrong: {}; see armature verify", *fault));
}

/// What is known when all has run.
void Session::fill_details(const Decoder& decoder, Record& record) {
  Details& details = record.details;
  details.warm_up = options_.warm_up;
  details.isa = cpu::describe(loaded_.model->features());
  details.open = loaded_.open;
  details.page_in = loaded_.page_in;
  details.kv_bytes = decoder.memory().kv_bytes;
  details.scratch_bytes = decoder.memory().scratch_bytes;
  details.peak_rss = memory_.bytes();
  details.kv_bytes_per_token = kv_bytes_per_token(decoder, record.test);
  if (test_roofs_ != nullptr) {
    set_roofs(*test_roofs_, decoder.model(), std::min(record.test.pass_rows(), record.test.n_prompt),
              details);
  } else {
    set_no_roofs("it was not to be measured (--no-roof)", details);
  }
}

}  // namespace armature::tools::bench
