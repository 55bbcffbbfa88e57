#include "tools/cli/flag_table.h"

namespace armature::tools {
namespace {

constexpr std::string_view kGpu = "there is no GPU to place anything on";
constexpr std::string_view kNoDifference = "it would make no difference here";

constexpr Flag kFlags[] = {
    {.option = Option::Ignored,
     .group = Group::Ignored,
     .commands = kDecoding,
     .names = "-ngl --gpu-layers --n-gpu-layers -dev --device -sm --split-mode -mg --main-gpu -ts "
              "--tensor-split -ot --override-tensor -ncmoe --n-cpu-moe -fit --fit -fitt --fit-target -fitc "
              "--fit-ctx",
     .value = ValueKind::Text,
     .help = kGpu},
    {.option = Option::Ignored,
     .group = Group::Ignored,
     .commands = kDecoding,
     .names =
         "-kvo --kv-offload -nkvo --no-kv-offload --op-offload --no-op-offload -cmoe --cpu-moe --no-host",
     .help = kGpu},
    {.option = Option::Ignored,
     .group = Group::Ignored,
     .commands = kDecoding,
     .names = "--warmup --no-warmup --simple-io --perf --no-perf --log-disable",
     .help = kNoDifference},
    {.option = Option::Ignored,
     .group = Group::Ignored,
     .commands = kDecoding | kTemplate,
     .names = "--jinja --no-jinja",
     .help = "chat templates, named ones too, are always interpreted as Jinja"},
};

}  // namespace

std::span<const Flag> ignored_flags() { return kFlags; }

}  // namespace armature::tools
