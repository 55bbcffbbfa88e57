#include "tools/cli/flag_table.h"

namespace armature::tools {
namespace {

constexpr std::string_view kSampler =
    "there is no such sampler here; of samplers there are penalties, top-k, top-p, min-p and temperature";
constexpr std::string_view kOrder =
    "samplers run in llama.cpp's own order, which is accepted: penalties, top-k, top-p, min-p, temperature; "
    "leave one out by its own flag "
    "(--top-k 0, --top-p 1, --min-p 0)";
constexpr std::string_view kBias =
    "logits of single tokens are not changed; --ignore-eos keeps a model from ending";
constexpr std::string_view kGrammar =
    "answers are not held to a grammar or schema; ask for the form in the prompt and check the answer";

/// `harmless` are the values that ask for nothing.
constexpr Flag refused(LlamaFlag llama, std::string_view names, std::string_view shown, std::string_view why,
                       std::string_view harmless = {}) {
  return {.option = Option::Refused,
          .group = Group::Refused,
          .commands = kDecoding,
          .names = names,
          .value = ValueKind::Text,
          .shown = shown,
          .words = harmless,
          .help = why,
          .llama = llama};
}

constexpr Flag kFlags[] = {
    refused(kLlamaSampling, "--samplers", "NAMES", kOrder,
            "penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature "
            "penalties;dry;top_k;typ_p;top_p;min_p;xtc;temperature penalties;top_k;top_p;min_p;temperature"),
    refused(kLlamaSampling, "--sampler-seq --sampling-seq", "LETTERS", kOrder, "edskypmxt edkypmxt ekpmt"),
    refused(kLlamaSampling, "--top-nsigma --top-n-sigma", "X", kSampler, "-1 0"),
    refused(kLlamaSampling, "--xtc-probability", "P", kSampler, "0"),
    refused(kLlamaSampling, "--typical --typical-p", "P", kSampler, "1"),
    refused(kLlamaSampling, "--dry-multiplier", "X", kSampler, "0"),
    refused(kLlamaSampling2026, "--adaptive-target", "P", kSampler, "-1"),
    refused(kLlamaSampling, "--dynatemp-range", "X", kSampler, "0"),
    refused(kLlamaSampling, "--mirostat", "N", kSampler, "0"),
    refused(kLlamaSampling, "-l --logit-bias", "TOKEN(+|-)BIAS", kBias),
    refused(kLlamaSampling, "--grammar", "TEXT", kGrammar),
    refused(kLlamaSampling, "--grammar-file", "FILE", kGrammar),
    refused(kLlamaSampling, "-j --json-schema", "SCHEMA", kGrammar),
    refused(kLlamaSampling, "-jf --json-schema-file", "FILE", kGrammar),
};

}  // namespace

std::span<const Flag> refused_sampling_flags() { return kFlags; }

}  // namespace armature::tools
