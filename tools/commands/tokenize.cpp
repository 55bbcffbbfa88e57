#include "tools/commands/tokenize.h"

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/normaliser.h"
#include "tools/answer/prompt.h"
#include "tools/answer/prompt_source.h"
#include "tools/answer/report.h"
#include "tools/cli/id_list.h"
#include "tools/cli/output.h"
#include "tools/setup.h"
#include "tools/tokenize/json_lines.h"

namespace armature::tools {
namespace {

/// Notes are for people: --log-disable leaves them out.
void note(const Arguments& args, std::string_view line) {
  if (!args.is_on(Option::LogDisable)) write_stderr_line("note: ", line);
}

bool gives_ids(const Arguments& args) {
  return args.is_given(Option::Decode) && (args.text(Option::Decode) != "-" || !args.words().empty());
}

struct Pair {
  Option one, other;
};
constexpr Pair kExclusive[] = {
    {Option::Decode, Option::Prompt},   {Option::Decode, Option::Nfc},       {Option::Decode, Option::Ids},
    {Option::Decode, Option::Count},    {Option::Decode, Option::ShowCount}, {Option::Jsonl, Option::Prompt},
    {Option::Jsonl, Option::Count},     {Option::Jsonl, Option::ShowCount},  {Option::Ids, Option::Count},
    {Option::Count, Option::ShowCount},
};

void check_command_line(const Arguments& args) {
  for (const auto& [one, other] : kExclusive) {
    if (args.is_given(one) && args.is_given(other))
      throw UsageError(compose("{} and {} exclude each other", args.name_of(one), args.name_of(other)));
  }
  if (args.is_on(Option::Jsonl) && (gives_ids(args) || !args.words().empty()))
    throw UsageError("--jsonl reads lines from -f or standard input, and nothing from the command line");
}

/// Of several sources the first of these counts.
void tell_unused_sources(const Arguments& args) {
  std::vector<std::string_view> sources;
  if (gives_ids(args)) sources.push_back("the command line");
  for (const Option option : {Option::Stdin, Option::File, Option::Prompt}) {
    if (args.is_given(option)) sources.push_back(args.name_of(option));
  }
  if (!args.is_given(Option::Decode) && !args.words().empty()) sources.push_back("the command line");
  for (std::size_t i = 1; i < sources.size(); ++i)
    note(args, compose("the input is that of {}; {} is not used", sources[0], sources[i]));
}

/// "-" for standard input, or the file of -f; --stdin comes first, as in llama-tokenize. Throws UsageError
/// where standard input is a terminal and was not asked for.
std::string input_path(const Arguments& args, std::string_view what) {
  if (args.is_on(Option::Stdin)) return "-";
  if (args.is_given(Option::File)) return std::string(args.text(Option::File));
  if (::isatty(STDIN_FILENO) != 0) throw UsageError(compose("no {}; --help lists the ways to give it", what));
  return "-";
}

std::string read_input(const Arguments& args, std::string_view what) {
  return read_text_file(input_path(args, what));
}

/// Escapes count in all texts, as in llama-tokenize; where that changes a file it is told.
std::string read_text(const Arguments& args) {
  const bool from_input = args.is_on(Option::Stdin) || args.is_given(Option::File);
  if (!from_input && args.is_given(Option::Prompt)) return command_line_text(args, args.text(Option::Prompt));
  if (!from_input && !args.words().empty()) return command_line_text(args, joined_words(args));
  const std::string input = read_input(args, "text");
  std::string text = command_line_text(args, input);
  if (text != input)
    note(args, "escapes such as \\n in the text were read; --no-escape takes them as they are");
  return text;
}

std::vector<TokenId> read_ids(const Arguments& args) {
  if (!gives_ids(args)) return parse_id_list(read_input(args, "list of ids"));
  const std::string_view value = args.text(Option::Decode);
  try {
    return parse_id_list(compose("{} {}", value == "-" ? "" : value, joined_words(args)));
  } catch (const Error& error) {
    throw UsageError(compose("{}: {}", args.name_of(Option::Decode), error.what()));
  }
}

EncodeOptions encode_options(const Arguments& args) {
  EncodeOptions options;
  options.add_special = args.is_on(Option::Bos);
  options.parse_special = args.is_on(Option::ParseSpecial);
  return options;
}

/// A line for each token: its id, to the right of 6 columns, and its bytes as they are.
void print_pieces(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  std::string out;
  for (const TokenId id : ids) {
    const std::string number = std::to_string(static_cast<int>(id));
    out.append(number.size() < 6 ? 6 - number.size() : 0, ' ').append(number).append(" -> '");
    tokenizer.append_piece(out, id, true);
    out += "'\n";
    if (out.size() < kPiece) continue;
    write_stdout(out);
    out.clear();
  }
  write_stdout(out);
}

void print_tokens(const Arguments& args, const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  if (args.is_on(Option::Count)) {
    write_stdout(compose("{}\n", ids.size()));
  } else if (args.is_on(Option::Ids)) {
    write_stdout(ids_text(ids) + "\n");
  } else {
    print_pieces(tokenizer, ids);
  }
  if (args.is_on(Option::ShowCount)) write_stdout(compose("Total number of tokens: {}\n", ids.size()));
}

void encode_text(const Arguments& args, const Tokenizer& tokenizer, std::string text) {
  EncodeLosses losses;
  const auto ids =
      tokenizer.encode(Normaliser(args, tokenizer).apply(std::move(text)), encode_options(args), losses);
  for (const std::string& line : notes_of(losses)) note(args, line);
  if (args.is_on(Option::Bos) && tokenizer.add_bos() && ids.size() > 1 && ids[1] == ids[0])
    note(args, "BOS was added although the text begins with it; --no-bos leaves it out");
  print_tokens(args, tokenizer, ids);
}

void decode_ids(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  for (const TokenId id : ids) {
    if (static_cast<std::size_t>(id) < tokenizer.n_vocab()) continue;
    throw Error(ErrorCode::bad_argument, compose("there is no token {}; the vocabulary has 0 to {}",
                                                 static_cast<int>(id), tokenizer.n_vocab() - 1));
  }
  write_stdout(tokenizer.decode(ids));
  if (::isatty(STDOUT_FILENO) != 0) write_stdout("\n");
}

/// The exit status: 1 if a line was wrong.
int answer_lines(const Arguments& args, const Tokenizer& tokenizer) {
  Normaliser normaliser(args, tokenizer);
  LineReader input(input_path(args, "input"));
  const LinesAnswered done = args.is_given(Option::Decode)
                                 ? decode_lines(input, tokenizer)
                                 : encode_lines(input, tokenizer, normaliser, encode_options(args));
  for (const std::string& line : notes_of(done.losses)) note(args, line);
  if (done.n_bad == 0) return 0;
  write_stderr_line("error: ", compose("{} of {} lines could not be read; each has its error in its place",
                                       done.n_bad, done.n_lines));
  return 1;
}

}  // namespace

int tokenize(const Arguments& args, std::chrono::steady_clock::time_point) {
  check_command_line(args);
  tell_unused_sources(args);
  const TextModel model = load_text_model(args);
  const Tokenizer& tokenizer = *model.tokenizer;
  if (!args.is_on(Option::LogDisable)) tell_warnings(tokenizer.warnings(), args);
  if (args.is_on(Option::Jsonl)) return answer_lines(args, tokenizer);
  if (args.is_given(Option::Decode)) {
    decode_ids(tokenizer, read_ids(args));
  } else {
    encode_text(args, tokenizer, read_text(args));
  }
  return 0;
}

}  // namespace armature::tools
