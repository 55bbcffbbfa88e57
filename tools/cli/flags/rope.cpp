#include "tools/cli/flag_table.h"

namespace armature::tools {
namespace {

constexpr double kMaxFloat = std::numeric_limits<float>::max();

constexpr Flag kFlags[] = {
    {.option = Option::RopeScaling,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "--rope-scaling",
     .value = ValueKind::Word,
     .shown = "TYPE",
     .words = "none linear yarn",
     .help = "how the positions are stretched, in place of the model's",
     .env = "LLAMA_ARG_ROPE_SCALING_TYPE",
     .llama = kLlamaCommon},
    {.option = Option::RopeScale,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "--rope-scale",
     .value = ValueKind::Real,
     .shown = "X",
     .initial = "0",
     .range = {0, kMaxFloat},
     .range_text = "a finite number of at least 0",
     .sets = "rope-scale",
     .help = "stretch them by X; 0: the model's factor",
     .env = "LLAMA_ARG_ROPE_SCALE",
     .llama = kLlamaCommon},
    {.option = Option::RopeFreqScale,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "--rope-freq-scale",
     .value = ValueKind::Real,
     .shown = "X",
     .initial = "0",
     .range = {0, kMaxFloat},
     .range_text = "a finite number of at least 0",
     .sets = "rope-scale",
     .help = "... by 1/X",
     .env = "LLAMA_ARG_ROPE_FREQ_SCALE",
     .llama = kLlamaCommon},
    {.option = Option::RopeFreqBase,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "--rope-freq-base",
     .value = ValueKind::Real,
     .shown = "X",
     .initial = "0",
     .range = {0, kMaxFloat},
     .range_text = "a finite number of at least 0",
     .help = "base of the RoPE frequencies; 0: the model's",
     .env = "LLAMA_ARG_ROPE_FREQ_BASE",
     .llama = kLlamaCommon},
    {.option = Option::YarnOrigCtx,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "--yarn-orig-ctx",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "0",
     .range = {0, 4294967295},
     .help = "context size that the model was trained with before it was stretched; 0: the model's",
     .env = "LLAMA_ARG_YARN_ORIG_CTX",
     .llama = kLlamaCommon},
};

}  // namespace

std::span<const Flag> rope_flags() { return kFlags; }

}  // namespace armature::tools
