#include "tools/perplexity/subject.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt.h"
#include "tools/answer/prompt_source.h"
#include "tools/cli/input_file.h"
#include "tools/cli/output.h"

namespace armature::tools::perplexity {
namespace {

std::size_t most_chunks(const Arguments& args) {
  const std::string_view word = args.text(Option::Chunks);
  return word == "all" || word == "-1" ? std::numeric_limits<std::size_t>::max()
                                       : static_cast<std::size_t>(args.integer(Option::Chunks));
}

std::vector<TokenId> encode(const Text& text, const Tokenizer& tokenizer) {
  EncodeLosses losses;
  std::vector<TokenId> tokens = encode_text(tokenizer, text.bytes, losses);
  for (const std::string& line : notes_of(losses)) write_stderr_line("note: ", line);
  return tokens;
}

/// The first chunks of a base.
Chunks first_chunks(const Chunks& all, std::size_t n_most) {
  Chunks chunks = all;
  chunks.tokens.resize(std::min(all.size(), n_most) * all.n_ctx);
  return chunks;
}

}  // namespace

std::optional<Text> read_text(const Arguments& args) {
  if (args.is_given(Option::Prompt)) return Text{std::string(args.text(Option::Prompt)), "the text of -p"};
  for (const Option option : {Option::File, Option::BinaryFile}) {
    if (args.is_given(option)) return Text{read_prompt(args), name_of_input(std::string(args.text(option)))};
  }
  return std::nullopt;
}

std::unique_ptr<KlFileReader> open_base(const Arguments& args) {
  if (!args.is_on(Option::KlDivergence)) return nullptr;
  auto base = std::make_unique<KlFileReader>(std::string(args.text(Option::KlBase)));
  const bool is_asked = args.is_given(Option::ChunkSize) && !args.is_from_environment(Option::ChunkSize);
  if (is_asked && static_cast<std::size_t>(args.integer(Option::ChunkSize)) != base->chunks().n_ctx) {
    throw Error(ErrorCode::bad_argument, {base->name(), {}, {}},
                compose("its chunks have {} tokens, but {} asks for {}; without {} those of the file count",
                        base->chunks().n_ctx, args.name_of(Option::ChunkSize),
                        args.integer(Option::ChunkSize), args.name_of(Option::ChunkSize)));
  }
  return base;
}

Subject choose_subject(const Arguments& args, const Tokenizer& tokenizer, const std::optional<Text>& text,
                       const KlFileReader* base) {
  std::vector<TokenId> tokens;
  if (text) tokens = encode(*text, tokenizer);
  Subject subject;
  subject.text = text ? text->name : "";
  subject.n_tokens = text ? tokens.size() : base->chunks().tokens.size();
  if (base == nullptr) {
    const auto n_ctx = static_cast<std::size_t>(args.integer(Option::ChunkSize));
    subject.chunks = cut_into_chunks(std::move(tokens), n_ctx, most_chunks(args), text->name);
    return subject;
  }
  if (text) check_same_text(base->chunks(), tokens, text->name, base->name());
  subject.chunks = first_chunks(base->chunks(), most_chunks(args));
  return subject;
}

}  // namespace armature::tools::perplexity
