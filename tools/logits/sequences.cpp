#include "tools/logits/sequences.h"

#include <unistd.h>

#include <numeric>
#include <string_view>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt_source.h"
#include "tools/cli/id_list.h"

namespace armature::tools {
namespace {

TokenSequence sequence_of_flag(const Arguments& args) {
  try {
    TokenSequence sequence{parse_id_list(args.text(Option::IdList)), {}, {}};
    if (!sequence.tokens.empty()) return sequence;
  } catch (const Error& error) {
    throw UsageError(compose("--ids: {}", error.what()));
  }
  throw UsageError("--ids: no ids; at least one is needed");
}

TokenSequence sequence_of_line(std::string_view line, std::string file, std::size_t number) {
  TokenSequence sequence{{}, std::move(file), compose("line {}", number)};
  const Place place = {sequence.file, {}, sequence.place};
  try {
    sequence.tokens = parse_id_list(line);
  } catch (const Error& error) {
    throw Error(error.code(), place, error.what());
  }
  if (sequence.tokens.empty())
    throw Error(ErrorCode::bad_argument, place, "empty; at least one token id is needed in each line");
  return sequence;
}

std::vector<TokenSequence> sequences_of_file(const std::string& path) {
  if (path == "-" && ::isatty(STDIN_FILENO) != 0)
    throw UsageError("--ids-file: standard input is a terminal; give a file or a pipe");
  const std::string text = read_input_file(path), name = name_of_input(path);
  std::vector<TokenSequence> sequences;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto line = std::string_view(text).substr(at, end - at);
    sequences.push_back(sequence_of_line(line, name, sequences.size() + 1));
    at = end + 1;
  }
  if (sequences.empty()) throw Error(ErrorCode::bad_argument, {name, {}, {}}, "no ids; the file is empty");
  return sequences;
}

}  // namespace

std::vector<TokenSequence> read_sequences(const Arguments& args) {
  if (args.is_given(Option::IdList) == args.is_given(Option::IdsFile))
    throw UsageError("give the ids with either --ids LIST or --ids-file FILE");
  if (args.is_given(Option::IdsFile)) return sequences_of_file(std::string(args.text(Option::IdsFile)));
  std::vector<TokenSequence> sequences;
  sequences.push_back(sequence_of_flag(args));
  return sequences;
}

void check_vocabulary(const std::vector<TokenSequence>& sequences, std::size_t n_vocab) {
  for (const TokenSequence& sequence : sequences) {
    for (const TokenId token : sequence.tokens) {
      if (static_cast<std::size_t>(token) < n_vocab) continue;
      throw Error(ErrorCode::bad_argument, {sequence.file, {}, sequence.place},
                  compose("token {} is outside the vocabulary; 0 to {} are allowed",
                          static_cast<std::int32_t>(token), n_vocab - 1));
    }
  }
}

void check_context(const std::vector<TokenSequence>& sequences, std::size_t n_ctx) {
  const auto add = [](std::size_t sum, const TokenSequence& s) { return sum + s.tokens.size(); };
  const std::size_t total = std::accumulate(sequences.begin(), sequences.end(), std::size_t{0}, add);
  if (total <= n_ctx) return;
  const TokenSequence& first = sequences.front();
  throw Error(ErrorCode::prompt_too_long, {first.file, {}, {}},
              sequences.size() == 1
                  ? compose("{} tokens, the context has {}; -c sets it", total, n_ctx)
                  : compose("{} sequences of {} tokens in all, which share a context of {}; -c sets it",
                            sequences.size(), total, n_ctx));
}

}  // namespace armature::tools
