#pragma once

#include <cstddef>
#include <string>

#include "engine/decoder.h"
#include "tools/perplexity/evaluations.h"

namespace armature::tools::perplexity {

/// What both kinds of measurement tell of a run.
struct RunFacts {
  std::string model, architecture, type, isa;
  std::string text;          // the file's name, or empty
  std::size_t n_tokens = 0;  // of the whole text; without one those of the chunks
  std::size_t n_ctx = 0;     // of a chunk
  std::size_t n_chunks = 0, n_places = 0, n_sequences = 0;
  bool adds_bos = false;
  DecoderOptions decoder;
  double seconds = 0;  // of the passes and what is made of them
};

/// One object and a newline; docs/benchmarking.md lists the keys.
std::string to_json(const RunFacts& facts, const Likelihood& likelihood);
/// `base`: the name of the file that holds it.
std::string to_json(const RunFacts& facts, const Comparison& comparison, const std::string& base);

}  // namespace armature::tools::perplexity
