#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/token.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// The ids of one sequence, and where they stand, for messages.
struct TokenSequence {
  std::vector<TokenId> tokens;  // at least one
  std::string file, place;      // "ids.txt", "line 3"; empty for --ids
};

/// Those of --ids or of --ids-file. Throws UsageError (neither, both, malformed ids of --ids), Error io, and
/// Error bad_argument for a line that is empty or malformed.
std::vector<TokenSequence> read_sequences(const Arguments& args);

/// Throws Error bad_argument for an id outside the vocabulary.
void check_vocabulary(const std::vector<TokenSequence>& sequences, std::size_t n_vocab);
/// Throws Error prompt_too_long unless the sequences, all at a time, fit into n_ctx positions.
void check_context(const std::vector<TokenSequence>& sequences, std::size_t n_ctx);

}  // namespace armature::tools
