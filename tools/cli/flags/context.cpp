#include "tools/cli/flag_table.h"

namespace armature::tools {
namespace {

constexpr double kMaxInt = 2147483647;

constexpr Flag kFlags[] = {
    {.option = Option::CtxSize,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "-c --ctx-size",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "0",
     .range = {0, kMaxInt},
     .help = "tokens of prompt and answer; 0: the model's limit, or what memory holds"},
    {.option = Option::BatchSize,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "-b --batch-size",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "2048",
     .range = {1, kMaxInt},
     .help = "upper bound of -ub; itself bounded by the context"},
    {.option = Option::UbatchSize,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "-ub --ubatch-size",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "512",
     .range = {1, kMaxInt},
     .help = "prompt tokens that are processed at a time"},
    {.option = Option::CacheTypeK,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "-ctk --cache-type-k",
     .value = ValueKind::Word,
     .shown = "TYPE",
     .initial = "f16",
     .words = "f16 f32",
     .help = "type of the keys in the cache"},
    {.option = Option::CacheTypeV,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "-ctv --cache-type-v",
     .value = ValueKind::Word,
     .shown = "TYPE",
     .initial = "f16",
     .words = "f16 f32",
     .help = "... of the values"},
    {.option = Option::FlashAttn,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "-fa --flash-attn",
     .value = ValueKind::MaybeWord,
     .shown = "[on|off|auto]",
     .initial = "auto",
     .words = "on enabled true 1 off disabled false 0 auto -1",
     .help = "accepted; attention always runs in tiles"},
    {.option = Option::BatchInvariant,
     .group = Group::Context,
     .commands = kDecoding,
     .names = "--batch-invariant",
     .help = "the same bits for any -b and -ub, at the cost of speed"},
};

}  // namespace

std::span<const Flag> context_flags() { return kFlags; }

}  // namespace armature::tools
