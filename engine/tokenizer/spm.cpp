#include "engine/tokenizer/spm.h"

#include <queue>

#include "engine/tokenizer/utf8.h"

namespace armature {

namespace {

constexpr std::string_view kSpace = "\u2581";
constexpr std::uint32_t kNone = UINT32_MAX;

/// Copies `text` with each `from` replaced.
void append_replaced(std::string& out, std::string_view text, std::string_view from, std::string_view to) {
  for (std::size_t found; (found = text.find(from)) != text.npos; text.remove_prefix(found + from.size())) {
    out.append(text.substr(0, found)).append(to);
  }
  out.append(text);
}

}  // namespace

Spm::Spm(const Vocabulary& vocabulary, const gguf::Metadata& metadata)
    : vocabulary_(&vocabulary),
      add_space_prefix_(metadata.find_bool("tokenizer.ggml.add_space_prefix").value_or(true)) {
  if (!vocabulary.has_scores()) {
    throw metadata.error(ErrorCode::missing_key, "tokenizer.ggml.scores",
                         "missing; this tokenizer needs scores");
  }
  for (unsigned byte = 0; byte < 256 && !vocabulary.unk; ++byte) {
    if (vocabulary.byte_token(static_cast<std::uint8_t>(byte))) continue;
    throw metadata.error(ErrorCode::bad_vocab, "tokenizer.ggml.tokens",
                         "byte " + std::to_string(byte) + " has no token and there is no unknown token");
  }
}

void Spm::encode(std::string_view fragment, bool continues, std::vector<TokenId>& ids,
                 EncodeLosses& losses) const {
  std::string text(add_space_prefix_ && !continues ? kSpace : std::string_view());
  append_replaced(text, fragment, " ", kSpace);
  const std::vector<Symbol> symbols = merged_symbols(text);
  for (std::uint32_t i = 0; i != kNone; i = symbols[i].next) {
    append_symbol(std::string_view(text).substr(symbols[i].begin, symbols[i].length), ids, losses);
  }
}

std::vector<Spm::Symbol> Spm::merged_symbols(std::string_view text) const {
  std::vector<Symbol> symbols;
  for (std::uint32_t begin = 0; begin < text.size();) {
    const Utf8Start start = read_utf8(text.substr(begin));
    const std::uint32_t length = start.kind == Utf8Kind::character ? start.length : 1;
    const auto i = static_cast<std::uint32_t>(symbols.size());
    symbols.push_back({begin, length, i - 1, i + 1});  // i - 1 is kNone for the first
    begin += length;
  }
  symbols.back().next = kNone;

  std::priority_queue<Pair> pairs;
  const auto add_pair = [&](std::uint32_t left) {
    if (left == kNone || symbols[left].next == kNone) return;
    const std::uint32_t length = symbols[left].length + symbols[symbols[left].next].length;
    if (length > vocabulary_->longest_normal()) return;
    const auto token = vocabulary_->find_normal(text.substr(symbols[left].begin, length));
    if (token) pairs.push({vocabulary_->score(*token), left, length});
  };
  for (std::uint32_t i = 0; i < symbols.size(); ++i) add_pair(i);
  while (!pairs.empty()) {
    const Pair pair = pairs.top();
    pairs.pop();
    Symbol& left = symbols[pair.left];
    // Symbols only grow, so a pair that was queued before one of its parts was joined is longer now, or gone.
    if (left.length == 0 || left.next == kNone) continue;
    Symbol& right = symbols[left.next];
    if (left.length + right.length != pair.length) continue;
    left.length = pair.length;
    left.next = right.next;
    right.length = 0;
    if (left.next != kNone) symbols[left.next].previous = pair.left;
    add_pair(left.previous);
    add_pair(pair.left);
  }
  return symbols;
}

void Spm::append_symbol(std::string_view text, std::vector<TokenId>& ids, EncodeLosses& losses) const {
  if (const auto token = vocabulary_->find_normal(text)) return ids.push_back(*token);
  for (const char c : text) {
    const auto token = vocabulary_->byte_token(static_cast<std::uint8_t>(c));
    ids.push_back(token ? *token : *vocabulary_->unk);  // one of the two is there: see the constructor
    if (!token) ++losses.n_unknown;
  }
}

void Spm::append_text(std::string& out, std::string_view spelling) const {
  append_replaced(out, spelling, kSpace, " ");
}

}  // namespace armature
