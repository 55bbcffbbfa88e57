#include "tools/cli/flag_table.h"
#include "tools/cli/flags/reasons.h"

/// Flags of llama-bench and of ik_llama.cpp's that are accepted or refused.
namespace armature::tools {
namespace {

constexpr std::string_view kOfAnotherEngine =
    "this flag is of ik_llama.cpp alone, and there is nothing here that it could set; run without it";

constexpr Flag row(Option option, Group group, std::string_view names, std::string_view shown,
                   std::string_view why, std::string_view harmless) {
  return {.option = option,
          .group = group,
          .commands = kBench,
          .names = names,
          .value = shown.empty() ? ValueKind::None : ValueKind::Text,
          .shown = shown,
          .words = harmless,
          .help = why};
}
/// `shown` is the value's name, or empty for a switch.
constexpr Flag ignored(std::string_view names, std::string_view shown, std::string_view why) {
  return row(Option::Ignored, Group::Ignored, names, shown, why, {});
}
/// `harmless` are the values that ask for nothing.
constexpr Flag refused(std::string_view names, std::string_view shown, std::string_view why,
                       std::string_view harmless = {}) {
  return row(Option::Refused, Group::Refused, names, shown, why, harmless);
}

constexpr Flag kFlags[] = {
    ignored("-ngl --n-gpu-layers", "N", kGpu),
    ignored("-ncmoe --n-cpu-moe", "N", kGpu),
    ignored("-sm --split-mode", "MODE", kGpu),
    ignored("-mg --main-gpu", "INDEX", kGpu),
    ignored("-nkvo --no-kv-offload", "0|1", kGpu),
    ignored("-dev --device", "NAMES", kGpu),
    ignored("-ts --tensor-split", "SHARES", kGpu),
    ignored("-ot --override-tensor", "PATTERN=TYPE", kGpu),
    ignored("-nopo --no-op-offload", "0|1", kGpu),
    ignored("--no-host", "0|1", kGpu),
    ignored("-fitt --fit-target", "MIB", kGpu),
    ignored("-fitc --fit-ctx", "N", kGpu),
    ignored("--fit", "0|1", kGpu),
    ignored("--fit-margin", "N", kGpu),
    ignored("--offline", "", kNoDownload),

    refused("-hf -hfr --hf-repo", "USER/REPO[:QUANT]", kDownload),
    refused("-hff --hf-file", "FILE", kDownload),
    refused("-hft --hf-token", "TOKEN", kDownload),
    refused("-rpc --rpc", "SERVERS", kOneMachine),
    refused("--list-devices", "", kOneDevice),
    refused("-embd --embeddings", "0|1", "logits are computed, not embeddings", "0"),

    refused("-tgb --threads-gen-batch", "G,B",
            "-t gives the threads of prompts and generation; run once for each with -n 0 and -p 0"),
    refused("-rtr --run-time-repack", "0|1", "weights are used where they lie and never repacked", "0"),
    refused("-thp --transparent-huge-pages", "0|1",
            "the system's setting of transparent huge pages holds; armature cpu shows it", "0"),
    refused("-mla --mla-attn", "N", kOfAnotherEngine, "0"),
    refused("-amb --attn-max-batch", "N", kOfAnotherEngine, "0"),
    refused("-ser --smart-expert-reduction", "N,X", kOfAnotherEngine),
    refused("-gr --graph-reuse", "0|1", kOfAnotherEngine, "0"),
    refused("-fmoe --fused-moe", "0|1", kOfAnotherEngine, "0"),
    refused("-ger --grouped-expert-routing", "0|1", kOfAnotherEngine, "0"),
    refused("-no-fug --no-fused-up-gate", "0|1", kOfAnotherEngine, "0"),
    refused("-no-ooae --no-offload-only-active-experts", "0|1", kOfAnotherEngine, "0"),
    refused("-mqkv --merge-qkv", "0|1", kOfAnotherEngine, "0"),
    refused("-muge --merge-up-gate-experts", "0|1", kOfAnotherEngine, "0"),
    refused("-rcache --rope-cache", "0|1", kOfAnotherEngine, "0"),
    refused("-sas --scheduler-async", "0|1", kOfAnotherEngine, "0"),
    refused("-cuda --cuda-params", "LIST", kOfAnotherEngine),
    refused("--defer-experts", "0|1", kOfAnotherEngine, "0"),
    refused("--max-gpu", "N", kOfAnotherEngine, "0"),
    refused("--print-overrides", "0|1", kOfAnotherEngine, "0"),
};

}  // namespace

std::span<const Flag> bench_other_flags() { return kFlags; }

}  // namespace armature::tools
