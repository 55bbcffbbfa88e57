#include "tools/commands/logits.h"

#include <unistd.h>

#include <bit>
#include <string>
#include <vector>

#include "engine/decoder.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/output.h"
#include "tools/cli/output_file.h"
#include "tools/cli/signals.h"
#include "tools/cli/units.h"
#include "tools/logits/sequences.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

std::string output_path(const Arguments& args) {
  const std::string path(args.text(Option::OutputFile));
  if (path.empty()) throw UsageError("-o FILE is needed; -: standard output");
  if (path == "-" && ::isatty(STDOUT_FILENO) != 0)
    throw UsageError("-o -: standard output is a terminal, and logits are no text");
  return path;
}

/// Gives all tokens of all sequences to the decoder, as many rows at a time as it takes, and the rows of
/// logits that come out to the file, in order.
class Writer {
 public:
  Writer(Decoder& decoder, OutputFile& out, bool all_rows)
      : decoder_(decoder), out_(out), all_rows_(all_rows) {}

  /// False after an interrupt.
  bool run(const std::vector<TokenSequence>& sequences) {
    std::vector<Sequence> cached;
    for (std::size_t i = 0; i < sequences.size(); ++i) cached.push_back(decoder_.new_sequence());
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const auto& tokens = sequences[i].tokens;
      for (std::size_t j = 0; j < tokens.size(); ++j) {
        batch_.push_back({tokens[j], &cached[i], all_rows_ || j + 1 == tokens.size()});
        if (batch_.size() == decoder_.options().n_ubatch && !pass()) return false;
      }
    }
    return batch_.empty() || pass();
  }

  std::size_t n_rows() const { return n_rows_; }

 private:
  bool pass() {
    if (!decoder_.forward(batch_, interrupted)) return false;
    for (std::size_t i = 0; i < decoder_.n_logits(); ++i) out_.write(std::as_bytes(decoder_.logits(i)));
    n_rows_ += decoder_.n_logits();
    batch_.clear();
    return true;
  }

  Decoder& decoder_;
  OutputFile& out_;
  bool all_rows_;
  Batch batch_;
  std::size_t n_rows_ = 0;
};

}  // namespace

int logits(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (!args.words().empty())
    throw UsageError(compose("the command takes no words, found {}", quote(args.words().front())));
  const std::string path = output_path(args);
  const std::vector<TokenSequence> sequences = read_sequences(args);
  const auto model = load_model(args);
  OutputFile out(path);
  tell_about_model(*model, args);
  const std::size_t n_vocab = model->config().n_vocab;
  check_vocabulary(sequences, n_vocab);
  const DecoderOptions options = choose_decoder_options(*model, args, sequences.size());
  check_context(sequences, options.n_ctx);
  const bool all_rows = args.is_on(Option::AllRows);
  check_memory_of_rows(*model, options, all_rows ? options.n_ubatch : sequences.size());

  Decoder decoder(model, options);
  Writer writer(decoder, out, all_rows);
  if (!writer.run(sequences)) return kInterruptedStatus;
  if (model->files().is_mapped()) model->files().check_unchanged();
  out.commit();
  write_stderr_line("", compose("logits: {} x {} ({})", writer.n_rows(), n_vocab,
                                size_text(writer.n_rows() * n_vocab * sizeof(float))));
  return 0;
}

}  // namespace armature::tools
