#include "tools/chat/transcript.h"

#include <algorithm>

#include "tools/answer/prompt.h"

namespace armature::tools {
namespace {

bool is_special(TokenType type) {
  return type == TokenType::control || type == TokenType::user_defined || type == TokenType::unknown;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The ranges within the first `limit` bytes.
std::vector<ByteRange> clipped(std::span<const ByteRange> ranges, std::size_t limit) {
  std::vector<ByteRange> out;
  for (const ByteRange& range : ranges) {
    if (range.begin < limit) out.push_back({range.begin, std::min(range.end, limit)});
  }
  return out;
}

/// The ranges behind `begin`, counted from there.
std::vector<ByteRange> shifted(std::span<const ByteRange> ranges, std::size_t begin) {
  std::vector<ByteRange> out;
  for (const ByteRange& range : ranges) {
    if (range.end > begin) out.push_back({std::max(range.begin, begin) - begin, range.end - begin});
  }
  return out;
}

/// Up to where two texts of at least `limit` bytes have the same literal parts.
std::size_t agreeing_bytes(std::span<const ByteRange> a, std::span<const ByteRange> b, std::size_t limit) {
  for (std::size_t i = 0; i < a.size() || i < b.size(); ++i) {
    const ByteRange left = i < a.size() ? a[i] : ByteRange{limit, limit};
    const ByteRange right = i < b.size() ? b[i] : ByteRange{limit, limit};
    if (left == right) continue;
    const std::size_t begin = std::min(left.begin, right.begin);
    return std::min(limit, left.begin != right.begin ? begin : std::min(left.end, right.end));
  }
  return limit;
}

}  // namespace

std::vector<TokenId> encode_part(const Tokenizer& tokenizer, const chat::Rendered& rendered, ByteRange part,
                                 bool continues) {
  const std::vector<ByteRange> literal = shifted(rendered.literal, part.begin);
  const std::string_view text = std::string_view(rendered.text).substr(part.begin, part.end - part.begin);
  return tokenizer.encode(text, {.add_special = false, .literal = literal, .continues = continues});
}

std::size_t Transcript::agreeing_bytes(const chat::Rendered& rendered) const {
  const auto end = std::mismatch(text_.begin(), text_.end(), rendered.text.begin(), rendered.text.end());
  const auto n = static_cast<std::size_t>(end.first - text_.begin());
  return tools::agreeing_bytes(clipped(literal_, n), clipped(rendered.literal, n), n);
}

void Transcript::cut_back(Cut cut) {
  text_.resize(cut.n_text);
  literal_ = clipped(literal_, cut.n_text);
  tokens_.resize(cut.n_tokens);
  while (!cuts_.empty() && cuts_.back().n_text > cut.n_text) cuts_.pop_back();
}

/// Where the last token is spelled in `text`, before what is still to be encoded.
std::size_t Transcript::begin_of_last_token(std::string_view text) const {
  const std::string_view spelling = tokenizer_->spelling(tokens_.back());
  std::string_view front = text.substr(0, text_.size());
  if (!front.ends_with(spelling)) {
    while (!front.empty() && is_space(front.back()))
      front.remove_suffix(1);  // the token swallows white space
  }
  return front.ends_with(spelling) ? front.size() - spelling.size() : text_.size();
}

void Transcript::encode_rest(const chat::Rendered& rendered) {
  const std::size_t end = text_.size();
  const bool behind_special = !tokens_.empty() && is_special(tokenizer_->type(tokens_.back()));
  // What follows a special token is read otherwise than what follows ordinary text: it is encoded with it.
  const std::size_t begin = behind_special ? begin_of_last_token(rendered.text) : end;
  const std::size_t text_end = rendered.text.size();
  std::vector<TokenId> rest =
      encode_part(*tokenizer_, rendered, {begin, text_end}, end > 0 && !behind_special);
  if (begin < end && !rest.empty() && rest.front() == tokens_.back()) {
    rest.erase(rest.begin());
  } else if (begin < end) {
    rest = encode_part(*tokenizer_, rendered, {end, text_end}, false);
  }
  tokens_.insert(tokens_.end(), rest.begin(), rest.end());
}

Transcript Transcript::with(const chat::Rendered& rendered) const {
  Transcript out = *this;
  const std::size_t n = agreeing_bytes(rendered);
  const auto cut = std::find_if(cuts_.rbegin(), cuts_.rend(), [n](const Cut& c) { return c.n_text <= n; });
  out.cut_back(cut != cuts_.rend() ? *cut : Cut{0, 0});
  if (out.text_.size() == rendered.text.size() && !out.tokens_.empty()) return out;
  const bool from_start = out.tokens_.empty();
  out.encode_rest(rendered);
  if (from_start) add_bos(out.tokens_, *tokenizer_);
  out.text_ = rendered.text;
  out.literal_ = rendered.literal;
  out.cuts_.push_back({out.text_.size(), out.tokens_.size()});
  return out;
}

void Transcript::append(std::span<const TokenId> tokens, std::string_view text, bool literal) {
  const std::size_t begin = text_.size();
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  text_ += text;
  cuts_.push_back({text_.size(), tokens_.size()});
  if (!literal || text.empty()) return;
  if (!literal_.empty() && literal_.back().end == begin) {
    literal_.back().end = text_.size();
  } else {
    literal_.push_back({begin, text_.size()});
  }
}

void Transcript::append_answer(std::span<const TokenId> tokens, std::string_view text, StopReason reason) {
  if (reason == StopReason::Eos) {
    const auto end = tokens.last(1);
    append(tokens.first(tokens.size() - 1), text, true);
    return append(end, tokenizer_->spelling(end.front()), false);
  }
  if (reason != StopReason::Stop) return append(tokens, text, true);
  std::size_t n_tokens = 0, n_text = 0;
  for (std::string piece; n_tokens < tokens.size(); ++n_tokens) {
    piece.clear();
    tokenizer_->append_piece(piece, tokens[n_tokens], false);
    if (!text.substr(n_text).starts_with(piece)) break;
    n_text += piece.size();
  }
  append(tokens.first(n_tokens), text.substr(0, n_text), true);
}

}  // namespace armature::tools
