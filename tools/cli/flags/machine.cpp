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
     .words = "auto -1",
     .help = "threads; auto or -1: what affinity, quota and core classes allow",
     .env = "LLAMA_ARG_THREADS",
     .llama = kLlamaCommon},
    {.option = Option::ThreadsBatch,
     .group = Group::Machine,
     .commands = kDecoding,
     .names = "-tb --threads-batch",
     .value = ValueKind::Integer,
     .shown = "N",
     .initial = "auto",
     .range = {1, 1024},
     .words = "auto -1",
     .help = "... for the prompt; auto or -1: as -t",
     .llama = kLlamaCommon},
    {.option = Option::Isa,
     .group = Group::Machine,
     .commands = kDecoding | kInspect | kCpu | kBench,
     .names = "--isa",
     .value = ValueKind::Text,
     .shown = "LIST",
     .help = "use no more of the CPU than this, e.g. avx2, or dotprod,i8mm",
     .env = "ARMATURE_ISA"},
    {.option = Option::Mmap,
     .group = Group::Machine,
     .commands = kDecoding,
     .names = "--mmap",
     .negatives = "--no-mmap",
     .initial = "on",
     .help = "map the model, which must not change meanwhile; --no-mmap: read it into memory",
     .env = "LLAMA_ARG_MMAP",
     .env_off = "LLAMA_ARG_NO_MMAP",
     .llama = kLlamaCommon},
    {.option = Option::Mlock,
     .group = Group::Machine,
     .commands = kDecoding,
     .names = "--mlock",
     .help = "lock the weights in memory",
     .env = "LLAMA_ARG_MLOCK",
     .llama = kLlamaCommon},
    {.option = Option::LoadMode,
     .group = Group::Machine,
     .commands = kDecoding,
     .names = "-lm --load-mode",
     .value = ValueKind::Word,
     .shown = "MODE",
     .initial = "auto",
     .words = "auto none mmap mlock mmap+mlock dio",
     .help = "in place of --mmap and --mlock: map the model, lock it, or both; none and dio: read it; "
             "auto: what these say",
     .env = "LLAMA_ARG_LOAD_MODE",
     .llama = kLlamaCommon2026},
};

}  // namespace

std::span<const Flag> machine_flags() { return kFlags; }

}  // namespace armature::tools
