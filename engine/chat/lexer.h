#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/chat/source.h"

namespace armature::chat {

struct Token {
  enum class Kind {
    data,  // text outside of tags, white space control applied
    output_begin,
    output_end,
    block_begin,
    block_end,
    name,
    string,  // with its quotes and escapes
    integer,
    real,
    symbol,
    end,
  };
  Kind kind = Kind::end;
  std::string_view text;   // a part of the source
  std::size_t offset = 0;  // of the text in the source
};

/// Cuts a template into tokens, one at a time. Takes time in the length of the source, all tokens together.
class Lexer {
 public:
  /// `source` must outlive the lexer and its tokens.
  explicit Lexer(const Source& source) : source_(source), text_(source.text) {}

  /// Kind end for ever after the last token. Throws Error bad_template.
  Token next();

 private:
  enum class Mode { data, output, block };

  bool read_data(Token& token);
  bool open_tag(Token& token);
  void skip_comment();
  bool read_raw(Token& token);
  bool at_raw_begin(std::size_t& after) const;
  std::size_t end_of_data(std::size_t begin, std::size_t tag, bool may_strip_line) const;
  void close_tag(char sign, bool takes_newline);
  bool read_tag_end(Token& token);
  Token read_inside();
  std::size_t end_of_string() const;
  std::size_t end_of_number(Token::Kind& kind) const;
  void balance(char bracket);
  Token take(Token::Kind kind, std::size_t length);

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  Mode mode_ = Mode::data;
  std::size_t tag_begin_ = 0;
  std::vector<char> open_;  // closing brackets that are awaited inside the tag
};

/// The value of a string token: quotes taken off, escapes resolved.
std::string unescape(const Source& source, const Token& token);

}  // namespace armature::chat
