#include "tools/cli/flag_table.h"

namespace armature::tools {
namespace {

constexpr Flag kFlags[] = {
    {.option = Option::Threads,
     .group = Group::Machine,
     .commands = kDecoding,
     .names = "-t --threads",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "auto",
     .range = {1, 1024},
     .words = "auto",
     .help = "threads; auto: what affinity, quota and core classes allow"},
    {.option = Option::ThreadsBatch,
     .group = Group::Machine,
     .commands = kDecoding,
     .names = "-tb --threads-batch",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "auto",
     .range = {1, 1024},
     .words = "auto",
     .help = "... for the prompt; auto: as -t"},
    {.option = Option::Isa,
     .group = Group::Machine,
     .commands = kDecoding | kInspect | kCpu,
     .names = "--isa",
     .value = ValueKind::Text,
     .shown = "LIST",
     .help = "use no more of the CPU than this, e.g. avx2, or dotprod,i8mm; also ARMATURE_ISA"},
    {.option = Option::Mmap,
     .group = Group::Machine,
     .commands = kDecoding,
     .names = "--mmap",
     .negatives = "--no-mmap",
     .initial = "on",
     .help = "map the model, which must not change meanwhile; --no-mmap: read it into memory"},
    {.option = Option::Mlock,
     .group = Group::Machine,
     .commands = kDecoding,
     .names = "--mlock",
     .help = "lock the weights in memory"},
};

}  // namespace

std::span<const Flag> machine_flags() { return kFlags; }

}  // namespace armature::tools
