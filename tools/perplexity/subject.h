#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "engine/tokenizer/tokenizer.h"
#include "tools/cli/flags.h"
#include "tools/perplexity/chunks.h"
#include "tools/perplexity/kl_file.h"

/// From the command line to what is to be measured.
namespace armature::tools::perplexity {

/// A text, and how messages call it.
struct Text {
  std::string bytes, name;
};
/// That of -f, -bf or -p. Throws as read_text_file().
std::optional<Text> read_text(const Arguments& args);

/// The file of --kl-divergence-base if --kl-divergence asks to read it, else null. Throws as KlFileReader,
/// and Error bad_argument if its chunks are not of the size that -c asks for.
std::unique_ptr<KlFileReader> open_base(const Arguments& args);

struct Subject {
  Chunks chunks;
  std::string text;          // name, or empty
  std::size_t n_tokens = 0;  // of the whole text; without one those of the chunks
};
/// The chunks of the base, which those of a text must equal, or else of the text; no more than --chunks says.
/// Throws Error as cut_into_chunks() and check_same_text().
Subject choose_subject(const Arguments& args, const Tokenizer& tokenizer, const std::optional<Text>& text,
                       const KlFileReader* base);

}  // namespace armature::tools::perplexity
