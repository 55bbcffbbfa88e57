#pragma once

#include <cstddef>
#include <string>

#include "tools/perplexity/divergence.h"
#include "tools/perplexity/statistics.h"

/// The lines of llama-perplexity, which scripts read; with "\n" where a line ends.
namespace armature::tools::perplexity {

/// The perplexity so far, behind chunk `chunk` counted from 0: "[1]5.4321,", without an end of line.
std::string running_text(std::size_t chunk, const RunningMean& nll);
/// The same as a line: number of the chunk's first token, perplexity, mean nll and its error.
std::string running_line(std::size_t first_token, const RunningMean& nll);
/// "Final estimate: PPL = 5.4321 +/- 0.12345\n".
std::string final_line(const RunningMean& nll);

/// The names of divergence_line()'s columns.
std::string divergence_head();
std::string divergence_line(std::size_t chunk, const Divergence& divergence);
/// Three sections: perplexity, KL divergence, token probabilities.
std::string divergence_text(const Divergence& divergence);

}  // namespace armature::tools::perplexity
