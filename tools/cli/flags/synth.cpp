#include "tools/cli/flag_table.h"

namespace armature::tools {
namespace {

constexpr Flag kFlags[] = {
    {.option = Option::Layers,
     .group = Group::Input,
     .commands = kSynth,
     .names = "--layers",
     .value = ValueKind::Integer,
     .shown = "N",
     .range = {1, 1024},
     .help = "make N layers in place of the shape's"},
    {.option = Option::ListShapes,
     .group = Group::Output,
     .commands = kSynth,
     .names = "--list",
     .help = "print the shapes with their sizes; with a shape its size in every type"},
    {.option = Option::DryRun,
     .group = Group::Output,
     .commands = kSynth,
     .names = "--dry-run",
     .help = "print the size that the file would have, and make none"},
};

}  // namespace

std::span<const Flag> synth_flags() { return kFlags; }

}  // namespace armature::tools
