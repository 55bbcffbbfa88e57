#include "tools/cli/flag_table.h"
#include "tools/cli/flags/reasons.h"

namespace armature::tools {
namespace {

constexpr std::string_view kNoModelCache =
    "nothing is downloaded, so there is no cache of models; -m takes any file";
constexpr std::string_view kAdapter =
    "adapters are not applied; merge it into the model first and give the merged file with -m";
constexpr std::string_view kControlVector = "control vectors are not applied; run without it";
constexpr std::string_view kSpeculative =
    "there is no speculative decoding; run without it: the answers are those of the model itself";
constexpr std::string_view kImages =
    "models of text alone: there are no images, sounds or videos; describe them in the prompt";
constexpr std::string_view kYarn = "YaRN runs with the usual factors alone; run without it";
constexpr std::string_view kSession =
    "no state is kept in files between runs; within armature chat nothing is processed twice";
constexpr std::string_view kAffix =
    "nothing is put around what the user says; a chat template (--chat-template) can do that";

/// `shown` is the value's name, or empty for a switch; `harmless` are the values that ask for nothing.
constexpr Flag refused(LlamaFlag llama, std::string_view names, std::string_view shown, std::string_view why,
                       std::string_view env = {}, std::string_view harmless = {},
                       Commands commands = kDecoding) {
  return {.option = Option::Refused,
          .group = Group::Refused,
          .commands = commands,
          .names = names,
          .value = shown.empty() ? ValueKind::None : ValueKind::Text,
          .shown = shown,
          .words = harmless,
          .help = why,
          .env = env,
          .llama = llama};
}

constexpr Flag kFlags[] = {
    refused(kLlamaCommon, "-hf -hfr --hf-repo", "USER/REPO[:QUANT]", kDownload, "LLAMA_ARG_HF_REPO", {},
            kReading),
    refused(kLlamaCommon, "-hff --hf-file", "FILE", kDownload, "LLAMA_ARG_HF_FILE", {}, kReading),
    refused(kLlamaCommon, "-hft --hf-token", "TOKEN", kDownload, "HF_TOKEN", {}, kReading),
    refused(kLlamaCommon, "-hfv -hfrv --hf-repo-v", "USER/REPO[:QUANT]", kDownload, "LLAMA_ARG_HF_REPO_V", {},
            kReading),
    refused(kLlamaCommon, "-hffv --hf-file-v", "FILE", kDownload, "LLAMA_ARG_HF_FILE_V", {}, kReading),
    refused(kLlamaCommon, "-mu --model-url", "URL", kDownload, "LLAMA_ARG_MODEL_URL", {}, kReading),
    refused(kLlamaCommon, "-dr --docker-repo", "[REPO/]MODEL[:QUANT]", kDownload, "LLAMA_ARG_DOCKER_REPO", {},
            kReading),
    refused(kLlamaCli, "-hfd -hfrd --hf-repo-draft --spec-draft-hf", "USER/REPO[:QUANT]", kSpeculative,
            "LLAMA_ARG_SPEC_DRAFT_HF_REPO LLAMA_ARG_HFD_REPO"),
    refused(kLlamaCli, "--gpt-oss-20b-default", "", kDownload),
    refused(kLlamaCli, "--gpt-oss-120b-default", "", kDownload),
    refused(kLlamaCli, "--vision-gemma-4b-default", "", kDownload),
    refused(kLlamaCli, "--vision-gemma-12b-default", "", kDownload),
    refused(kLlamaCommon, "-cl --cache-list", "", kNoModelCache),

    refused(kLlamaCommon, "--lora", "FILE", kAdapter),
    refused(kLlamaCommon, "--lora-scaled", "FILE:SCALE", kAdapter),
    refused(kLlamaCommon, "--control-vector", "FILE", kControlVector),
    refused(kLlamaCommon, "--control-vector-scaled", "FILE:SCALE", kControlVector),
    refused(kLlamaCommon, "--control-vector-layer-range", "START END", kControlVector),

    refused(kLlamaCli, "-md --model-draft --spec-draft-model", "FILE", kSpeculative,
            "LLAMA_ARG_SPEC_DRAFT_MODEL LLAMA_ARG_MODEL_DRAFT"),
    refused(kLlamaCli2026, "--spec-type", "TYPE", kSpeculative, "LLAMA_ARG_SPEC_TYPE", "none"),
    refused(kLlamaCli2026, "--spec-default", "", kSpeculative),
    refused(kLlamaCli, "--spec-replace --spec-draft-replace", "TARGET DRAFT", kSpeculative),

    refused(kLlamaCli, "-mm --mmproj", "FILE", kImages, "LLAMA_ARG_MMPROJ"),
    refused(kLlamaCli, "-mmu --mmproj-url", "URL", kImages, "LLAMA_ARG_MMPROJ_URL"),
    refused(kLlamaCli, "--image --audio --video", "FILE", kImages),

    refused(kLlamaCommon, "--yarn-ext-factor", "X", kYarn, "LLAMA_ARG_YARN_EXT_FACTOR", "-1 1"),
    refused(kLlamaCommon, "--yarn-attn-factor", "X", kYarn, "LLAMA_ARG_YARN_ATTN_FACTOR", "-1 1"),
    refused(kLlamaCommon, "--yarn-beta-slow", "X", kYarn, "LLAMA_ARG_YARN_BETA_SLOW", "-1 1"),
    refused(kLlamaCommon, "--yarn-beta-fast", "X", kYarn, "LLAMA_ARG_YARN_BETA_FAST", "-1 32"),
    refused(kLlamaCli, "-gan --grp-attn-n", "N",
            "attention is never grouped to stretch a context; --rope-scaling yarn does that",
            "LLAMA_ARG_GRP_ATTN_N", "1"),

    refused(kLlamaCommon, "-np --parallel", "N",
            "one conversation at a time; start the program once for each", "LLAMA_ARG_N_PARALLEL", "-1 1",
            kAnswering | kLogits | kPerplexity),
    refused(kLlamaCommon, "--rpc", "SERVERS", kOneMachine, "LLAMA_ARG_RPC"),
    refused(kLlamaCli2026, "--server-base", "URL", "no server is asked; give the model with -m"),
    refused(kLlamaCommon, "--list-devices", "", kOneDevice),
    refused(kLlamaCommon2026, "--license", "",
            "Armature is under the MIT licence; the file LICENSE has its text"),

    refused(kLlamaCli, "--prompt-cache", "FILE", kSession),
    refused(kLlamaCli, "--prompt-cache-all", "", kSession),
    refused(kLlamaCli, "--prompt-cache-ro", "", kSession),
    refused(kLlamaCli, "--in-prefix", "TEXT", kAffix),
    refused(kLlamaCli, "--in-suffix", "TEXT", kAffix),
    refused(kLlamaCli, "--in-prefix-bos", "", kAffix),
    refused(kLlamaCli, "-sp --special", "",
            "control tokens are not shown in answers; --ids and --json tell which were made"),
    refused(kLlamaCli2026, "-o --output --output-file", "FILE",
            "the answer goes to standard output; > FILE puts it there", {}, {}, kAnswering),
    refused(kLlamaCli2026, "--log-prompts-dir", "FOLDER",
            "no copies of prompts are kept; -v shows their tokens"),
    refused(kLlamaCli, "--reasoning-format", "FORMAT",
            "thoughts are shown as the model writes them, not apart from the answer", "LLAMA_ARG_THINK",
            "none auto"),
};

}  // namespace

std::span<const Flag> refused_flags() { return kFlags; }

}  // namespace armature::tools
