#include "tools/cli/flag_table.h"

namespace armature::tools {
namespace {

constexpr double kMaxInt = 2147483647;

constexpr Flag kFlags[] = {
    {.option = Option::NPredict,
     .group = Group::Answer,
     .commands = kAnswering,
     .names = "-n --n-predict --predict",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "-1",
     .range = {-2, kMaxInt},
     .help = "most tokens to make; -1 or -2: until the end or a full context; 0: read the prompt only",
     .env = "LLAMA_ARG_N_PREDICT",
     .llama = kLlamaCommon},
    {.option = Option::IgnoreEos,
     .group = Group::Answer,
     .commands = kAnswering,
     .names = "--ignore-eos",
     .help = "never choose a token that ends the answer",
     .llama = kLlamaSampling},
    {.option = Option::Stop,
     .group = Group::Answer,
     .commands = kAnswering,
     .names = "-r --reverse-prompt",
     .value = ValueKind::Text,
     .shown = "TEXT",
     .help = "end before TEXT would be shown; may be repeated",
     .llama = kLlamaCli},
};

}  // namespace

std::span<const Flag> answer_flags() { return kFlags; }

}  // namespace armature::tools
