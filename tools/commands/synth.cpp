#include "tools/commands/synth.h"

#include <unistd.h>

#include <filesystem>
#include <string>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/output.h"
#include "tools/cli/output_file.h"
#include "tools/cli/progress.h"
#include "tools/cli/signals.h"
#include "tools/cli/units.h"
#include "tools/synth/shape_list.h"
#include "tools/synth/synth_model.h"
#include "tools/synth/weight_types.h"

namespace armature::tools {
namespace {

constexpr std::size_t kMegabyte = 1000 * 1000;

int list(std::span<const std::string> words) {
  if (words.size() > 1) throw UsageError("--list takes one shape at most");
  write_stdout(words.empty() ? synth::shape_list() : synth::type_list(synth::find_shape(words.front())));
  return 0;
}

synth::Choice choose(const Arguments& args) {
  const auto words = args.words();
  const std::size_t n_words = args.is_on(Option::DryRun) ? 2 : 3;
  if (words.size() < n_words || words.size() > 3)
    throw UsageError(
        compose("SHAPE TYPE OUT are needed, such as llama-3.2-1b Q4_0 model.gguf, found {} {}; "
                "armature synth --list shows the shapes",
                words.size(), words.size() == 1 ? "word" : "words"));
  const synth::Shape& shape = synth::find_shape(words[0]);
  const gguf::TensorType type = synth::find_weight_type(words[1]).type;
  const bool reduced = args.is_given(Option::Layers);
  return {&shape, type, reduced ? static_cast<std::uint32_t>(args.integer(Option::Layers)) : shape.n_layer};
}

/// Throws Error io where the disk is known not to hold so much; what is not known shows when it is written.
void check_space(const std::string& path, std::uint64_t size) {
  std::error_code fault;
  const std::filesystem::path target(path);
  if (std::filesystem::exists(target, fault) && !std::filesystem::is_regular_file(target, fault)) return;
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const auto space = std::filesystem::space(folder, fault);
  if (fault || space.available >= size) return;
  throw Error(ErrorCode::io, {path, {}, {}},
              compose("no room: {} ({} bytes) are needed, {} ({} bytes) are free", size_text(size), size,
                      size_text(space.available), space.available));
}

/// False after an interrupt.
bool write_file(const synth::SynthModel& model, OutputFile& out) {
  Progress progress("writing", static_cast<std::size_t>(model.size() / kMegabyte), "MB");
  std::uint64_t done = 0;
  return model.write([&](std::span<const std::byte> bytes) {
    out.write(bytes);
    done += bytes.size();
    progress.set(static_cast<std::size_t>(done / kMegabyte));
    return !interrupted();
  });
}

}  // namespace

int make_synthetic(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (args.is_on(Option::ListShapes)) return list(args.words());
  const synth::SynthModel model(choose(args));
  for (const std::string& line : model.notes()) write_stderr_line("note: ", line);
  const std::string facts =
      compose("{}: {} tensors, {} weights, {} ({} bytes)", model.name(), model.n_tensors(),
              count_text(model.n_weights()), size_text(model.size()), model.size());
  if (args.is_on(Option::DryRun)) {
    write_stdout(facts + "\n");
    return 0;
  }
  const std::string& path = args.words()[2];
  if (path == "-" && ::isatty(STDOUT_FILENO) != 0)
    throw UsageError("OUT -: standard output is a terminal, and models are no text");
  if (path != "-") check_space(path, model.size());
  OutputFile out(path);
  if (!write_file(model, out)) return kInterruptedStatus;
  out.commit();
  write_stderr_line("synth: ", facts);
  return 0;
}

}  // namespace armature::tools
