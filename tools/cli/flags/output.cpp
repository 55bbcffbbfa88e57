#include "tools/cli/flag_table.h"

namespace armature::tools {
namespace {

constexpr Flag kFlags[] = {
    {.option = Option::Echo,
     .group = Group::Output,
     .commands = kAnswering,
     .names = "--echo",
     .negatives = "--no-echo --no-display-prompt",
     .help = "print the prompt's text too"},
    {.option = Option::Json,
     .group = Group::Output,
     .commands = kAnswering | kInspect | kCpu | kPlan,
     .names = "--json",
     .help = "print one JSON object at the end in place of the text"},
    {.option = Option::Ids,
     .group = Group::Output,
     .commands = kRun,
     .names = "--ids",
     .help = "print the answer's token ids in place of its text"},
    {.option = Option::AllRows,
     .group = Group::Output,
     .commands = kLogits,
     .names = "--all",
     .help = "write the logits after every token, not the last of each sequence alone"},
    {.option = Option::OutputFile,
     .group = Group::Output,
     .commands = kLogits,
     .names = "-o --output",
     .value = ValueKind::Text,
     .shown = "FILE",
     .help = "where the logits go; -: standard output"},
    {.option = Option::FullArrays,
     .group = Group::Output,
     .commands = kInspect,
     .names = "--full",
     .help = "long arrays and texts of the metadata in full"},
    {.option = Option::Verbose,
     .group = Group::Output,
     .commands = kReading,
     .names = "-v --verbose",
     .help = "also tell the prompt's ids, warnings and the kernels in use"},
    {.option = Option::Help,
     .group = Group::Output,
     .commands = kAllCommands,
     .names = "-h --help",
     .help = "this text"},
    {.option = Option::Version,
     .group = Group::Output,
     .commands = kAllCommands,
     .names = "--version",
     .help = "the program's version"},
};

}  // namespace

std::span<const Flag> output_flags() { return kFlags; }

}  // namespace armature::tools
