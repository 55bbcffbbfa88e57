#pragma once

#include "gguf/writer.h"
#include "tools/synth/shapes.h"

namespace armature::tools::synth {

/// Adds the keys of a byte-level BPE vocabulary of shape.n_vocab tokens: the shape's control tokens;
/// the 256 bytes; pairs of a space or small letter and a small letter, with their merges, as far as there is
/// room; then tokens that no text leads to.
void add_vocabulary(gguf::Writer& writer, const Shape& shape);

}  // namespace armature::tools::synth
