#include "engine/tokenizer/bpe.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

#include "engine/tokenizer/byte_chars.h"
#include "engine/tokenizer/utf8.h"
#include "gguf/compose.h"

namespace armature {

namespace {

constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";
constexpr std::uint32_t kNone = UINT32_MAX;  // no symbol, no neighbour, no rank

std::uint64_t hash_pair(std::uint32_t left, std::uint32_t right) {
  return mix_bits(std::uint64_t{left} << 32 | right);
}

/// The character that the byte `at` is part of, or that byte if it is in none.
std::string_view character_around(std::string_view piece, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < 3 && (static_cast<unsigned char>(piece[begin]) & 0xC0) == 0x80) --begin;
  const Utf8Start start = read_utf8(piece.substr(begin));
  const bool whole = start.kind == Utf8Kind::character && begin + start.length > at;
  return whole ? piece.substr(begin, start.length) : piece.substr(at, 1);
}

constexpr std::string_view kReplacement = "\uFFFD";

/// `text` with U+FFFD for each byte that is in no character, and how many these are.
std::pair<std::string, std::size_t> with_bad_bytes_replaced(std::string_view text) {
  std::string valid;
  std::size_t n_bad = 0;
  while (!text.empty()) {
    const Utf8Start start = read_utf8(text);
    const bool is_character = start.kind == Utf8Kind::character;
    const std::size_t length = is_character ? start.length : 1;
    valid.append(is_character ? text.substr(0, length) : kReplacement);
    n_bad += is_character ? 0 : 1;
    text.remove_prefix(length);
  }
  return {std::move(valid), n_bad};
}

}  // namespace

/// Numbers the strings of the merge list; needed while it is read.
class Bpe::SymbolNames {
 public:
  explicit SymbolNames(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  SymbolId id_of(const std::string& text) {
    if (const auto token = vocabulary_.find_normal(text)) return static_cast<SymbolId>(*token);
    const auto next = static_cast<SymbolId>(vocabulary_.size() + others_.size());
    return others_.try_emplace(text, next).first->second;
  }

 private:
  const Vocabulary& vocabulary_;
  std::unordered_map<std::string, SymbolId> others_;
};

struct Bpe::Work {
  std::string mapped;
  std::vector<Symbol> symbols;
  /// Pairs that may be joined: rank << 32 | index of the left symbol. The lowest rank comes first, the
  /// leftmost of equals.
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> pairs;
  std::size_t n_unspelled = 0;  // bytes without token
  std::string first_unspelled;  // the character that the first of them is part of
};

Bpe::Bpe(const Vocabulary& vocabulary, const gguf::Metadata& metadata, const PreRule& rule,
         std::vector<std::string>& warnings)
    : vocabulary_(&vocabulary),
      pretokenizer_(rule),
      whole_piece_first_(rule.traits.whole_piece_first),
      ranks_(metadata.require_strings(kMergesKey).size()) {
  SymbolNames names(vocabulary);
  for (std::size_t byte = 0; byte < byte_symbols_.size(); ++byte) {
    std::string text;
    append_byte_char(text, static_cast<std::uint8_t>(byte));
    byte_symbols_[byte] = names.id_of(text);
  }
  if (vocabulary.unk && vocabulary.type(*vocabulary.unk) != TokenType::control) unknown_ = vocabulary.unk;
  const gguf::StringArray entries = metadata.require_strings(kMergesKey);
  merges_.reserve(entries.size());
  std::string left, right;
  std::size_t index = 0, n_malformed = 0;
  for (const std::string_view entry : entries) {
    const std::size_t space = entry.find(' ');
    const bool malformed =
        space == 0 || space >= entry.size() - 1 || entry.find(' ', space + 1) != entry.npos;
    if (malformed && n_malformed++ == 0) {
      warnings.push_back("merge " + std::to_string(index) + " " + quote(entry) +
                         " is not two strings with a space between; such merges are skipped");
    }
    ++index;
    if (malformed) continue;
    left.assign(entry.substr(0, space));
    right.assign(entry.substr(space + 1));
    const SymbolId left_id = names.id_of(left);
    const SymbolId right_id = names.id_of(right);
    add_merge({left_id, right_id, names.id_of(left.append(right))});
  }
}

void Bpe::add_merge(const Merge& merge) {
  const auto same = [&](std::uint32_t rank) {
    return merges_[rank].left == merge.left && merges_[rank].right == merge.right;
  };
  const auto rank = static_cast<std::uint32_t>(merges_.size());
  if (ranks_.insert(hash_pair(merge.left, merge.right), rank, same)) merges_.push_back(merge);
}

std::uint32_t Bpe::rank_of(SymbolId left, SymbolId right) const {
  const auto same = [&](std::uint32_t rank) {
    return merges_[rank].left == left && merges_[rank].right == right;
  };
  return ranks_.find(hash_pair(left, right), same).value_or(kNone);
}

bool Bpe::has_token(char byte) const {
  return byte_symbols_[static_cast<unsigned char>(byte)] < vocabulary_->size();
}

void Bpe::encode(std::string_view fragment, bool, std::vector<TokenId>& ids, EncodeLosses& losses) const {
  Work work;
  const std::size_t n_ids = ids.size();
  encode_pieces(fragment, work, ids);
  const bool spells_replacement =
      std::all_of(kReplacement.begin(), kReplacement.end(), [this](char byte) { return has_token(byte); });
  if (work.n_unspelled > 0 && spells_replacement) {
    if (const auto [valid, n_bad] = with_bad_bytes_replaced(fragment); n_bad > 0) {
      ids.resize(n_ids);
      work = {};
      encode_pieces(valid, work, ids);
      losses.n_replaced += n_bad;
    }
  }
  if (work.n_unspelled > 0 && !unknown_) {
    throw Error(ErrorCode::bad_argument,
                compose("the vocabulary cannot spell {}, and no unknown token may stand for it",
                        quote(work.first_unspelled)));
  }
  losses.n_unknown += work.n_unspelled;
}

void Bpe::encode_pieces(std::string_view fragment, Work& work, std::vector<TokenId>& ids) const {
  for (const std::size_t length : pretokenizer_.split(fragment)) {
    encode_piece(fragment.substr(0, length), work, ids);
    fragment.remove_prefix(length);
  }
}

void Bpe::encode_piece(std::string_view piece, Work& work, std::vector<TokenId>& ids) const {
  if (whole_piece_first_) {
    work.mapped.clear();
    for (const char c : piece) append_byte_char(work.mapped, static_cast<std::uint8_t>(c));
    if (const auto token = vocabulary_->find_normal(work.mapped)) return ids.push_back(*token);
  }
  const auto n = static_cast<std::uint32_t>(piece.size());
  work.symbols.clear();
  for (std::uint32_t i = 0; i < n; ++i) {
    const SymbolId id = byte_symbols_[static_cast<unsigned char>(piece[i])];
    work.symbols.push_back({id, i, i - 1, i + 1 < n ? i + 1 : kNone});  // i - 1 is kNone for the first
  }
  merge_symbols(work);
  for (std::uint32_t i = 0; i != kNone; i = work.symbols[i].next) {
    const Symbol& symbol = work.symbols[i];
    if (symbol.id < vocabulary_->size()) {
      ids.push_back(TokenId(static_cast<std::int32_t>(symbol.id)));
    } else {
      append_bytes(piece, symbol.begin, symbol.next != kNone ? work.symbols[symbol.next].begin : n, work,
                   ids);
    }
  }
}

void Bpe::merge_symbols(Work& work) const {
  std::vector<Symbol>& symbols = work.symbols;
  const auto add_pair = [&](std::uint32_t left) {
    if (left == kNone || symbols[left].next == kNone) return;
    const std::uint32_t rank = rank_of(symbols[left].id, symbols[symbols[left].next].id);
    if (rank != kNone) work.pairs.push(std::uint64_t{rank} << 32 | left);
  };
  for (std::uint32_t i = 0; i < symbols.size(); ++i) add_pair(i);
  while (!work.pairs.empty()) {
    const std::uint64_t pair = work.pairs.top();
    work.pairs.pop();
    const Merge& merge = merges_[pair >> 32];
    Symbol& left = symbols[pair & UINT32_MAX];
    // Symbols only grow, so a pair that was queued before one of its parts was joined no longer looks the
    // same.
    if (left.id != merge.left || left.next == kNone || symbols[left.next].id != merge.right) continue;
    Symbol& right = symbols[left.next];
    left.id = merge.result;
    left.next = right.next;
    right.id = kNone;
    const auto at = static_cast<std::uint32_t>(pair);
    if (left.next != kNone) symbols[left.next].previous = at;
    add_pair(left.previous);
    add_pair(at);
  }
}

void Bpe::append_bytes(std::string_view piece, std::size_t begin, std::size_t end, Work& work,
                       std::vector<TokenId>& ids) const {
  for (std::size_t i = begin; i < end; ++i) {
    if (has_token(piece[i])) {
      ids.push_back(TokenId(static_cast<std::int32_t>(byte_symbols_[static_cast<unsigned char>(piece[i])])));
      continue;
    }
    if (unknown_) ids.push_back(*unknown_);
    if (work.n_unspelled++ == 0) work.first_unspelled = character_around(piece, i);
  }
}

void Bpe::append_text(std::string& out, std::string_view spelling) const {
  append_bytes_of_chars(out, spelling);
}

}  // namespace armature
