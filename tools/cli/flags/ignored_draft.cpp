#include "tools/cli/flag_table.h"

/// Settings of speculative decoding, which matter only where it is on; what turns it on is refused.
namespace armature::tools {
namespace {

/// `shown` is the value's name, or empty for a switch.
constexpr Flag ignored(LlamaFlag llama, std::string_view names, std::string_view shown,
                       std::string_view env = {}) {
  return {.option = Option::Ignored,
          .group = Group::Ignored,
          .commands = kDecoding,
          .names = names,
          .value = shown.empty() ? ValueKind::None : ValueKind::Text,
          .shown = shown,
          .help = "there is no speculative decoding to set",
          .env = env,
          .llama = llama};
}

constexpr Flag kFlags[] = {
    ignored(kLlamaCli2026, "-td --threads-draft --spec-draft-threads", "N"),
    ignored(kLlamaCli2026, "-tbd --threads-batch-draft --spec-draft-threads-batch", "N"),
    ignored(kLlamaCli2026, "-Cd --cpu-mask-draft --spec-draft-cpu-mask", "HEX"),
    ignored(kLlamaCli2026, "-Crd --cpu-range-draft --spec-draft-cpu-range", "FIRST-LAST"),
    ignored(kLlamaCli2026, "--cpu-strict-draft --spec-draft-cpu-strict", "0|1"),
    ignored(kLlamaCli2026, "--prio-draft --spec-draft-prio", "N"),
    ignored(kLlamaCli2026, "--poll-draft --spec-draft-poll", "0|1"),
    ignored(kLlamaCli2026, "-Cbd --cpu-mask-batch-draft --spec-draft-cpu-mask-batch", "HEX"),
    ignored(kLlamaCli2026, "--cpu-strict-batch-draft --spec-draft-cpu-strict-batch", "0|1"),
    ignored(kLlamaCli2026, "--prio-batch-draft --spec-draft-prio-batch", "N"),
    ignored(kLlamaCli2026, "--poll-batch-draft --spec-draft-poll-batch", "0|1"),
    ignored(kLlamaCommon, "-ctkd --cache-type-k-draft --spec-draft-type-k", "TYPE",
            "LLAMA_ARG_SPEC_DRAFT_CACHE_TYPE_K LLAMA_ARG_CACHE_TYPE_K_DRAFT"),
    ignored(kLlamaCommon, "-ctvd --cache-type-v-draft --spec-draft-type-v", "TYPE",
            "LLAMA_ARG_SPEC_DRAFT_CACHE_TYPE_V LLAMA_ARG_CACHE_TYPE_V_DRAFT"),
    ignored(kLlamaCli, "-otd --override-tensor-draft --spec-draft-override-tensor", "PATTERN=TYPE"),
    ignored(kLlamaCli, "-cmoed --cpu-moe-draft --spec-draft-cpu-moe", "",
            "LLAMA_ARG_SPEC_DRAFT_CPU_MOE LLAMA_ARG_CPU_MOE_DRAFT"),
    ignored(kLlamaCli, "-ncmoed --n-cpu-moe-draft --spec-draft-n-cpu-moe --spec-draft-ncmoe", "N",
            "LLAMA_ARG_SPEC_DRAFT_N_CPU_MOE LLAMA_ARG_N_CPU_MOE_DRAFT"),
    ignored(kLlamaCli, "-cd --ctx-size-draft --spec-draft-ctx-size", "N",
            "LLAMA_ARG_SPEC_DRAFT_CTX_SIZE LLAMA_ARG_CTX_SIZE_DRAFT"),
    ignored(kLlamaCli, "-devd --device-draft --spec-draft-device", "NAMES"),
    ignored(kLlamaCli, "-ngld --gpu-layers-draft --n-gpu-layers-draft --spec-draft-ngl", "N",
            "LLAMA_ARG_N_GPU_LAYERS_DRAFT"),
    ignored(kLlamaCli, "--draft --draft-n --draft-max", "N", "LLAMA_ARG_DRAFT_MAX"),
    ignored(kLlamaCli, "--draft-min --draft-n-min", "N", "LLAMA_ARG_DRAFT_MIN"),
    ignored(kLlamaCli, "--draft-p-min --spec-draft-p-min", "P",
            "LLAMA_ARG_SPEC_DRAFT_P_MIN LLAMA_ARG_DRAFT_P_MIN"),
    ignored(kLlamaCli2026, "--draft-p-split --spec-draft-p-split --spec--draft-p-split", "P",
            "LLAMA_ARG_SPEC_DRAFT_P_SPLIT"),
    ignored(kLlamaCli2026, "--spec-draft-n-max", "N", "LLAMA_ARG_SPEC_DRAFT_N_MAX"),
    ignored(kLlamaCli2026, "--spec-draft-n-min", "N", "LLAMA_ARG_SPEC_DRAFT_N_MIN"),
    ignored(kLlamaCli2026, "--spec-draft-backend-sampling --no-spec-draft-backend-sampling", "",
            "LLAMA_ARG_SPEC_DRAFT_BACKEND_SAMPLING LLAMA_ARG_NO_SPEC_DRAFT_BACKEND_SAMPLING"),
    ignored(kLlamaCli2026, "--spec-ngram-mod-n-min", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-mod-n-max", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-mod-n-match", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-simple-size-n", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-simple-size-m", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-simple-min-hits", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-map-k-size-n", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-map-k-size-m", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-map-k-min-hits", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-map-k4v-size-n", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-map-k4v-size-m", "N"),
    ignored(kLlamaCli2026, "--spec-ngram-map-k4v-min-hits", "N"),
};

}  // namespace

std::span<const Flag> ignored_draft_flags() { return kFlags; }

}  // namespace armature::tools
