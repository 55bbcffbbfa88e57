#pragma once

#include <cstddef>

#include "engine/tokenizer/tokenizer.h"
#include "tools/answer/normaliser.h"
#include "tools/tokenize/line_reader.h"

namespace armature::tools {

/// What came of a stream of lines.
struct LinesAnswered {
  std::size_t n_lines = 0, n_bad = 0;
  EncodeLosses losses;  // of all of them
};

/// Answers each line of `input` with a line on standard output, as soon as it has come in: {"text": "..."},
/// or {"bytes": [...]} for text that is not UTF-8, with {"ids": [...]}. "add_special" and "parse_special" in
/// a line count before `defaults`; other keys are passed over. A line that is wrong in any way gives
/// {"error": "..."}. Ends with the input, or at an interrupt. Throws Error io, ReaderLeft.
LinesAnswered encode_lines(LineReader& input, const Tokenizer& tokenizer, Normaliser& normaliser,
                           const EncodeOptions& defaults);

/// The same the other way round: {"ids": [...]} with {"text": "..."}, where U+FFFD stands for what is not
/// UTF-8, and in that case "bytes" too.
LinesAnswered decode_lines(LineReader& input, const Tokenizer& tokenizer);

}  // namespace armature::tools
