#include "tools/cli/flag_table.h"
#include "tools/cli/flags/reasons.h"

namespace armature::tools {
namespace {

constexpr std::string_view kLog =
    "messages go to standard error: 2>FILE keeps them, 2>/dev/null hides them, -v shows more";
constexpr std::string_view kCheckpoints =
    "a chat keeps its whole context in the cache and needs no copies of it";
constexpr std::string_view kNoImages = "models of text alone: there are no images";
constexpr std::string_view kTimings = "times are always measured, and told on standard error";

/// `shown` is the value's name, or empty for a switch.
constexpr Flag ignored(LlamaFlag llama, std::string_view names, std::string_view shown, std::string_view why,
                       std::string_view env = {}, Commands commands = kDecoding) {
  return {.option = Option::Ignored,
          .group = Group::Ignored,
          .commands = commands,
          .names = names,
          .value = shown.empty() ? ValueKind::None : ValueKind::Text,
          .shown = shown,
          .help = why,
          .env = env,
          .llama = llama};
}

constexpr Flag kFlags[] = {
    ignored(kLlamaCommon, "-ngl --gpu-layers --n-gpu-layers", "N", kGpu, "LLAMA_ARG_N_GPU_LAYERS"),
    ignored(kLlamaCommon, "-dev --device", "NAMES", kGpu, "LLAMA_ARG_DEVICE"),
    ignored(kLlamaCommon, "-sm --split-mode", "MODE", kGpu, "LLAMA_ARG_SPLIT_MODE"),
    ignored(kLlamaCommon, "-mg --main-gpu", "INDEX", kGpu, "LLAMA_ARG_MAIN_GPU"),
    ignored(kLlamaCommon, "-ts --tensor-split", "SHARES", kGpu, "LLAMA_ARG_TENSOR_SPLIT"),
    ignored(kLlamaCommon, "-ot --override-tensor", "PATTERN=TYPE", kGpu, "LLAMA_ARG_OVERRIDE_TENSOR"),
    ignored(kLlamaCommon, "-cmoe --cpu-moe", "", kGpu, "LLAMA_ARG_CPU_MOE"),
    ignored(kLlamaCommon, "-ncmoe --n-cpu-moe", "N", kGpu, "LLAMA_ARG_N_CPU_MOE"),
    ignored(kLlamaCommon, "-fit --fit", "on|off", kGpu, "LLAMA_ARG_FIT"),
    ignored(kLlamaCommon, "-fitt --fit-target", "MIB", kGpu, "LLAMA_ARG_FIT_TARGET"),
    ignored(kLlamaCommon, "-fitc --fit-ctx", "N", kGpu, "LLAMA_ARG_FIT_CTX"),
    ignored(kLlamaCommon, "-kvo --kv-offload -nkvo --no-kv-offload", "", kGpu,
            "LLAMA_ARG_KV_OFFLOAD LLAMA_ARG_NO_KV_OFFLOAD"),
    ignored(kLlamaCommon, "--op-offload --no-op-offload", "", kGpu),
    ignored(kLlamaCommon, "--no-host", "", kGpu, "LLAMA_ARG_NO_HOST"),
    ignored(kLlamaSampling2026, "-bs --backend-sampling", "", kGpu, "LLAMA_ARG_BACKEND_SAMPLING"),

    ignored(kLlamaCommon, "--repack -nr --no-repack", "",
            "weights are used where they lie and never repacked", "LLAMA_ARG_REPACK LLAMA_ARG_NO_REPACK"),
    ignored(kLlamaCommon2026, "-dio --direct-io -ndio --no-direct-io", "",
            "files are mapped, or read with --no-mmap, by way of the system's page cache",
            "LLAMA_ARG_DIO LLAMA_ARG_NO_DIO"),
    ignored(kLlamaCommon, "-dt --defrag-thold", "X", "the cache is made of pages and does not fragment",
            "LLAMA_ARG_DEFRAG_THOLD"),
    ignored(kLlamaCommon2025, "-kvu --kv-unified", "", "sequences always share one pool of pages",
            "LLAMA_ARG_KV_UNIFIED LLAMA_ARG_KV_SPLIT"),
    ignored(kLlamaCommon2025, "-dkvc --dump-kv-cache", "", "what the cache takes is told after the answer"),
    ignored(kLlamaCommon, "--swa-full", "", "the cache keeps every position as it is", "LLAMA_ARG_SWA_FULL"),
    ignored(kLlamaCli, "-ctxcp --ctx-checkpoints --swa-checkpoints", "N", kCheckpoints,
            "LLAMA_ARG_CTX_CHECKPOINTS"),
    ignored(kLlamaCli2026, "-cpent --checkpoint-every-n-tokens", "N", kCheckpoints,
            "LLAMA_ARG_CHECKPOINT_EVERY_NT"),
    ignored(kLlamaCli, "-cram --cache-ram", "MIB", kCheckpoints, "LLAMA_ARG_CACHE_RAM"),
    ignored(kLlamaCommon, "--check-tensors", "", "logits that are not finite are always an error"),
    ignored(kLlamaCommon, "--offline", "", kNoDownload, "LLAMA_ARG_OFFLINE LLAMA_OFFLINE"),

    ignored(kLlamaCommon, "--perf --no-perf", "", kTimings, "LLAMA_ARG_PERF LLAMA_ARG_NO_PERF"),
    ignored(kLlamaCli, "--show-timings --no-show-timings", "", kTimings,
            "LLAMA_ARG_SHOW_TIMINGS LLAMA_ARG_NO_SHOW_TIMINGS"),
    ignored(kLlamaCli, "-ptc --print-token-count", "N", "tokens are counted after the answer, and in --json"),
    ignored(kLlamaCommon, "--log-disable", "", kLog),
    ignored(kLlamaCommon, "--log-file", "FILE", kLog, "LLAMA_ARG_LOG_FILE LLAMA_LOG_FILE"),
    {.option = Option::Ignored,
     .group = Group::Ignored,
     .commands = kDecoding,
     .names = "--log-colors",
     .value = ValueKind::MaybeWord,
     .shown = "[on|off|auto]",
     .words = "on enabled true 1 off disabled false 0 auto -1",
     .help = "messages have no colours",
     .env = "LLAMA_ARG_LOG_COLORS LLAMA_LOG_COLORS",
     .llama = kLlamaCommon},
    ignored(kLlamaCommon, "--log-prefix --no-log-prefix", "", kLog,
            "LLAMA_ARG_LOG_PREFIX LLAMA_ARG_NO_LOG_PREFIX LLAMA_LOG_PREFIX"),
    ignored(kLlamaCommon, "--log-timestamps --no-log-timestamps", "", kLog,
            "LLAMA_ARG_LOG_TIMESTAMPS LLAMA_ARG_NO_LOG_TIMESTAMPS LLAMA_LOG_TIMESTAMPS"),
    ignored(kLlamaCommon, "-lv --verbosity --log-verbosity", "N", kLog,
            "LLAMA_ARG_LOG_VERBOSITY LLAMA_LOG_VERBOSITY"),

    ignored(kLlamaCli, "--warmup --no-warmup", "", "there is nothing to warm up but the file in memory", {},
            kDecoding & ~kBatchedBench),
    ignored(kLlamaCli, "--simple-io", "", "lines are read plainly wherever there is no terminal"),
    ignored(kLlamaCli, "-i --interactive", "",
            "armature chat is interactive, armature run with a prompt is not"),
    ignored(kLlamaCli, "-if --interactive-first", "",
            "armature chat without a prompt waits for the first one"),
    {.option = Option::Ignored,
     .group = Group::Ignored,
     .commands = kDecoding | kTemplate,
     .names = "--jinja --no-jinja",
     .help = "chat templates, named ones too, are always interpreted as Jinja",
     .env = "LLAMA_ARG_JINJA LLAMA_ARG_NO_JINJA",
     .llama = kLlamaCli},
    ignored(kLlamaCli2026, "--skip-chat-parsing --no-skip-chat-parsing", "",
            "answers are always shown as the model writes them",
            "LLAMA_ARG_SKIP_CHAT_PARSING LLAMA_ARG_NO_SKIP_CHAT_PARSING"),
    ignored(kLlamaCli2026, "--reasoning-preserve --no-reasoning-preserve", "",
            "a chat goes on from what the model wrote, thoughts included",
            "LLAMA_ARG_REASONING_PRESERVE LLAMA_ARG_NO_REASONING_PRESERVE"),
    ignored(kLlamaCli2026, "--reasoning-budget-message", "TEXT", "it belongs to budgets other than 0 and -1",
            "LLAMA_ARG_THINK_BUDGET_MESSAGE"),
    ignored(kLlamaCli, "--mmproj-auto --no-mmproj --no-mmproj-auto", "", kNoImages,
            "LLAMA_ARG_MMPROJ_AUTO LLAMA_ARG_NO_MMPROJ_AUTO LLAMA_ARG_NO_MMPROJ"),
    ignored(kLlamaCli, "--mmproj-offload --no-mmproj-offload", "", kNoImages,
            "LLAMA_ARG_MMPROJ_OFFLOAD LLAMA_ARG_NO_MMPROJ_OFFLOAD"),
    ignored(kLlamaCli2026, "-mmdev --mmproj-device", "NAME", kNoImages, "MTMD_BACKEND_DEVICE"),
    ignored(kLlamaCli, "--image-min-tokens", "N", kNoImages, "LLAMA_ARG_IMAGE_MIN_TOKENS"),
    ignored(kLlamaCli, "--image-max-tokens", "N", kNoImages, "LLAMA_ARG_IMAGE_MAX_TOKENS"),

    ignored(kLlamaSampling, "--xtc-threshold", "X", "it belongs to --xtc-probability, which is off"),
    ignored(kLlamaSampling, "--dry-base", "X", "it belongs to --dry-multiplier, which is off"),
    ignored(kLlamaSampling, "--dry-allowed-length", "N", "it belongs to --dry-multiplier, which is off"),
    ignored(kLlamaSampling, "--dry-penalty-last-n", "N", "it belongs to --dry-multiplier, which is off"),
    ignored(kLlamaSampling, "--dry-sequence-breaker", "TEXT", "it belongs to --dry-multiplier, which is off"),
    ignored(kLlamaSampling2026, "--adaptive-decay", "X", "it belongs to --adaptive-target, which is off"),
    ignored(kLlamaSampling, "--dynatemp-exp", "X", "it belongs to --dynatemp-range, which is off"),
    ignored(kLlamaSampling, "--mirostat-lr", "X", "it belongs to --mirostat, which is off"),
    ignored(kLlamaSampling, "--mirostat-ent", "X", "it belongs to --mirostat, which is off"),
    ignored(kLlamaCli, "-gaw --grp-attn-w", "N", "it belongs to --grp-attn-n, which is off",
            "LLAMA_ARG_GRP_ATTN_W"),
};

}  // namespace

std::span<const Flag> ignored_flags() { return kFlags; }

}  // namespace armature::tools
