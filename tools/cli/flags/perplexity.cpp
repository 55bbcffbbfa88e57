#include "tools/cli/flag_table.h"

/// Flags of `armature perplexity`. Names and defaults are those of llama-perplexity (llama.cpp, 2026).
namespace armature::tools {
namespace {

constexpr double kMaxInt = 2147483647;
constexpr std::string_view kChoices =
    "tests of multiple choice are not run; perplexity and divergence are what is measured here";

constexpr Flag refused(std::string_view names, std::string_view shown, std::string_view why,
                       std::string_view harmless = {}) {
  return {.option = Option::Refused,
          .group = Group::Refused,
          .commands = kPerplexity,
          .names = names,
          .value = shown.empty() ? ValueKind::None : ValueKind::Text,
          .shown = shown,
          .words = harmless,
          .help = why};
}

constexpr Flag ignored(std::string_view names, std::string_view shown, std::string_view why) {
  return {.option = Option::Ignored,
          .group = Group::Ignored,
          .commands = kPerplexity,
          .names = names,
          .value = ValueKind::Text,
          .shown = shown,
          .help = why};
}

constexpr Flag kFlags[] = {
    {.option = Option::File,
     .group = Group::Input,
     .commands = kPerplexity,
     .names = "-f --file",
     .value = ValueKind::Text,
     .shown = "FILE",
     .sets = "prompt",
     .help = "read the text from FILE, but for one newline at its end; -: standard input"},
    {.option = Option::BinaryFile,
     .group = Group::Input,
     .commands = kPerplexity,
     .names = "-bf --binary-file",
     .value = ValueKind::Text,
     .shown = "FILE",
     .sets = "prompt",
     .help = "... from FILE exactly as it is"},
    {.option = Option::Prompt,
     .group = Group::Input,
     .commands = kPerplexity,
     .names = "-p --prompt",
     .value = ValueKind::Text,
     .shown = "TEXT",
     .sets = "prompt",
     .help = "... from the command line; backslashes stay as they are"},
    {.option = Option::Chunks,
     .group = Group::Input,
     .commands = kPerplexity,
     .names = "--chunks",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "all",
     .range = {1, kMaxInt},
     .words = "all -1",
     .help = "look at no more chunks than this, from the front; -1: all"},
    {.option = Option::KlBase,
     .group = Group::Input,
     .commands = kPerplexity,
     .names = "--kl-divergence-base --save-all-logits",
     .value = ValueKind::Text,
     .shown = "FILE",
     .help = "write tokens and log-probabilities to FILE; with --kl-divergence: read them"},
    {.option = Option::KlDivergence,
     .group = Group::Input,
     .commands = kPerplexity,
     .names = "--kl-divergence",
     .help = "compare with the model that wrote --kl-divergence-base; a text need not be given"},
    {.option = Option::ChunkSize,
     .group = Group::Context,
     .commands = kPerplexity,
     .names = "-c --ctx-size",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "512",
     .range = {4, 16777216},
     .help = "tokens of a chunk, of which the model predicts those of the second half; with "
             "--kl-divergence the file says it",
     .env = "LLAMA_ARG_CTX_SIZE"},
    {.option = Option::PplOutputType,
     .group = Group::Output,
     .commands = kPerplexity,
     .names = "--ppl-output-type",
     .value = ValueKind::Word,
     .shown = "0|1",
     .initial = "0",
     .words = "0 1",
     .help = "0: the perplexity after each chunk, in one line; 1: a line for each, with the first token's "
             "number, perplexity, mean negative log-likelihood and its error"},

    ignored("-s --seed", "N", "nothing is sampled"),
    ignored("--temp --temperature", "T", "nothing is sampled"),
    refused("--ppl-stride", "N", "chunks follow each other and never overlap; -c sets their size", "0"),
    refused("--hellaswag", "", kChoices),
    refused("--hellaswag-tasks", "N", kChoices),
    refused("--winogrande", "", kChoices),
    refused("--winogrande-tasks", "N", kChoices),
    refused("--multiple-choice", "", kChoices),
    refused("--multiple-choice-tasks", "N", kChoices),
};

}  // namespace

std::span<const Flag> perplexity_flags() { return kFlags; }

}  // namespace armature::tools
