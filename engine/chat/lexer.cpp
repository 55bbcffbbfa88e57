#include "engine/chat/lexer.h"

#include <algorithm>
#include <array>

#include "engine/chat/utf8.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

/// The next "{{", "{%" or "{#".
std::size_t find_tag(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('{', from); at != kNone; at = text.find('{', at + 1)) {
    if (at + 1 < text.size() && (text[at + 1] == '{' || text[at + 1] == '%' || text[at + 1] == '#'))
      return at;
  }
  return kNone;
}

bool has_sign(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] == '-' || text[at] == '+');
}

}  // namespace

Token Lexer::next() {
  Token token;
  while (mode_ == Mode::data) {
    if (at_ == text_.size()) return {Token::Kind::end, {}, at_};
    if (read_data(token)) return token;
    if (at_ < text_.size() && open_tag(token)) return token;
  }
  if (read_tag_end(token)) return token;
  return read_inside();
}

/// The text up to the next tag, or none when a tag stands here.
bool Lexer::read_data(Token& token) {
  const std::size_t begin = at_;
  const std::size_t tag = std::min(find_tag(text_, at_), text_.size());
  const bool may_strip_line = tag < text_.size() && text_[tag + 1] != '{';
  const std::size_t end = tag < text_.size() ? end_of_data(begin, tag, may_strip_line) : tag;
  at_ = tag;
  token = {Token::Kind::data, text_.substr(begin, end - begin), begin};
  return begin != end;
}

/// Where the data before a tag ends, after what "-" or lstrip_blocks takes off it.
std::size_t Lexer::end_of_data(std::size_t begin, std::size_t tag, bool may_strip_line) const {
  const std::string_view data = text_.substr(begin, tag - begin);
  if (has_sign(text_, tag + 2)) {
    return text_[tag + 2] == '-' ? begin + skip_space_back(data, data.size()) : tag;
  }
  if (!may_strip_line) return tag;
  const std::size_t line = data.rfind('\n') + 1;  // npos + 1 is 0
  const bool starts_line = line > 0 || begin == 0 || text_[begin - 1] == '\n';
  return starts_line && skip_space_front(data, line) == data.size() ? begin + line : tag;
}

/// Enters the tag that stands here; comments are skipped. True when `token` holds something.
bool Lexer::open_tag(Token& token) {
  tag_begin_ = at_;
  if (text_[at_ + 1] == '#') {
    skip_comment();
    return false;
  }
  if (read_raw(token)) return !token.text.empty();
  const bool output = text_[at_ + 1] == '{';
  const std::size_t length = has_sign(text_, at_ + 2) ? 3 : 2;
  mode_ = output ? Mode::output : Mode::block;
  token = take(output ? Token::Kind::output_begin : Token::Kind::block_begin, length);
  return true;
}

void Lexer::skip_comment() {
  const std::size_t end = text_.find("#}", at_ + 2);
  if (end == kNone) source_.fail(at_, "a comment that is not closed: '#}' is missing");
  const char before = end > at_ + 2 ? text_[end - 1] : ' ';
  at_ = end + 2;
  close_tag(before, true);
}

/// Whether the block tag at the current place is {% raw %}, and if so where its contents begin.
bool Lexer::at_raw_begin(std::size_t& after) const {
  if (text_[at_ + 1] != '%') return false;
  std::size_t i = skip_space_front(text_, at_ + (has_sign(text_, at_ + 2) ? 3 : 2));
  if (text_.substr(i, 3) != "raw") return false;
  i = skip_space_front(text_, i + 3);
  if (text_.substr(i, 3) == "-%}") {
    after = skip_space_front(text_, i + 3);
    return true;
  }
  after = i + 2;
  return text_.substr(i, 2) == "%}";
}

/// {% raw %} ... {% endraw %} as one data token.
bool Lexer::read_raw(Token& token) {
  std::size_t begin = 0;
  if (!at_raw_begin(begin)) return false;
  for (std::size_t tag = text_.find("{%", begin); tag != kNone; tag = text_.find("{%", tag + 2)) {
    std::size_t i = skip_space_front(text_, tag + (has_sign(text_, tag + 2) ? 3 : 2));
    if (text_.substr(i, 6) != "endraw") continue;
    i = skip_space_front(text_, i + 6);
    const char sign = has_sign(text_, i) ? text_[i++] : ' ';
    if (text_.substr(i, 2) != "%}") continue;
    token = {Token::Kind::data, text_.substr(begin, end_of_data(begin, tag, true) - begin), begin};
    at_ = i + 2;
    close_tag(sign, true);
    return true;
  }
  source_.fail(at_, "'raw' is not closed: 'endraw' is missing");
}

/// What the sign before the end of a tag, or trim_blocks, takes off the text after it.
void Lexer::close_tag(char sign, bool takes_newline) {
  mode_ = Mode::data;
  if (sign == '-') {
    at_ = skip_space_front(text_, at_);
  } else if (sign != '+' && takes_newline && at_ < text_.size() && text_[at_] == '\n') {
    ++at_;
  }
}

bool Lexer::read_tag_end(Token& token) {
  at_ = skip_space_front(text_, at_);
  if (at_ == text_.size()) {
    source_.fail(tag_begin_, mode_ == Mode::output ? "a tag that is not closed: '}}' is missing"
                                                   : "a tag that is not closed: '%}' is missing");
  }
  if (!open_.empty()) return false;
  const bool output = mode_ == Mode::output;
  const char first = text_[at_];
  const bool signed_end = first == '-' || (first == '+' && !output);
  if (text_.substr(at_ + (signed_end ? 1 : 0), 2) != (output ? "}}" : "%}")) return false;
  token = take(output ? Token::Kind::output_end : Token::Kind::block_end, signed_end ? 3 : 2);
  close_tag(signed_end ? first : ' ', !output);
  return true;
}

/// A token inside of a tag.
Token Lexer::read_inside() {
  const char first = text_[at_];
  if (is_name_start(first)) {
    std::size_t end = at_;
    while (end < text_.size() && is_name_part(text_[end])) ++end;
    return take(Token::Kind::name, end - at_);
  }
  if (first == '\'' || first == '"') return take(Token::Kind::string, end_of_string() - at_);
  if (is_digit(first)) {
    Token::Kind kind = Token::Kind::integer;
    const std::size_t end = end_of_number(kind);
    return take(kind, end - at_);
  }
  constexpr std::array<std::string_view, 6> kPairs = {"**", "//", "==", "!=", ">=", "<="};
  const std::string_view pair = text_.substr(at_, 2);
  if (std::find(kPairs.begin(), kPairs.end(), pair) != kPairs.end()) return take(Token::Kind::symbol, 2);
  if (std::string_view("+-*/%~<>=.:|,;()[]{}").find(first) == kNone) {
    source_.fail(at_, "unexpected " + quote(text_.substr(at_, character_length(text_, at_))));
  }
  balance(first);
  return take(Token::Kind::symbol, 1);
}

std::size_t Lexer::end_of_string() const {
  for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == text_[at_]) {
      return i + 1;
    }
  }
  source_.fail(at_, "a string that is not closed");
}

std::size_t Lexer::end_of_number(Token::Kind& kind) const {
  std::size_t end = at_;
  const auto skip_digits = [&] {
    while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '_')) ++end;
  };
  const auto digit_at = [&](std::size_t i) { return i < text_.size() && is_digit(text_[i]); };
  skip_digits();
  // In `a.0.5` the numbers are two items of lists, not a fraction.
  if (at_ > 0 && text_[at_ - 1] == '.') return end;
  if (end < text_.size() && text_[end] == '.' && digit_at(end + 1)) {
    kind = Token::Kind::real;
    ++end;
    skip_digits();
  }
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    const std::size_t digits = end + (has_sign(text_, end + 1) ? 2 : 1);
    if (digit_at(digits)) {
      kind = Token::Kind::real;
      end = digits;
      skip_digits();
    }
  }
  return end;
}

/// Keeps count of brackets: inside of them "}}" and "%}" do not end a tag.
void Lexer::balance(char bracket) {
  constexpr std::string_view kOpening = "([{";
  constexpr std::string_view kClosing = ")]}";
  if (const std::size_t kind = kOpening.find(bracket); kind != kNone) {
    open_.push_back(kClosing[kind]);
  } else if (kClosing.find(bracket) != kNone) {
    if (open_.empty()) source_.fail(at_, "unexpected " + quote({&bracket, 1}));
    if (open_.back() != bracket) {
      source_.fail(at_, "unexpected " + quote({&bracket, 1}) + ", expected " + quote({&open_.back(), 1}));
    }
    open_.pop_back();
  }
}

Token Lexer::take(Token::Kind kind, std::size_t length) {
  const Token token{kind, text_.substr(at_, length), at_};
  at_ += length;
  return token;
}

}  // namespace armature::chat
