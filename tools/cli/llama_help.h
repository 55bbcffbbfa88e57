#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/cli/flags.h"

/// What becomes here of the flags of llama.cpp's llama-cli.
namespace armature::tools {

enum class Support : std::uint8_t { Done, Accepted, Refused };
Support support_of(const Flag& flag);
std::string_view name_of(Support support);  // "done", "accepted", "refused"

/// A table of them all for people, in kHelpWidth columns.
std::string llama_table();
/// {"flags": [{"names", "argument", "variables", "section", "years", "status", "note"}, ...], "counts":
/// {...}}
std::string llama_json();

}  // namespace armature::tools
