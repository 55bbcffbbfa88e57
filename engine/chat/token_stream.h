#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/chat/lexer.h"

namespace armature::chat {

/// The tokens of a template with a look-ahead of two, and the bound on nesting shared by all that parse them.
class TokenStream {
 public:
  explicit TokenStream(const Source& source) : source_(source), lexer_(source), current_(lexer_.next()) {}

  const Source& source() const { return source_; }
  const Token& current() const { return current_; }
  const Token& ahead();

  Token take();
  bool at(Token::Kind kind) const { return current_.kind == kind; }
  bool at_symbol(std::string_view text) const { return at(Token::Kind::symbol) && current_.text == text; }
  bool at_name(std::string_view text) const { return at(Token::Kind::name) && current_.text == text; }
  /// Takes the token if it is this one.
  bool skip_symbol(std::string_view text);
  bool skip_name(std::string_view text);
  void expect_symbol(std::string_view text);
  void expect(Token::Kind kind, std::string_view wanted);
  std::string take_name(std::string_view wanted);

  [[noreturn]] void fail(std::string_view problem) const { source_.fail(current_.offset, problem); }
  [[noreturn]] void fail_unexpected(std::string_view wanted) const;

  /// One level of nesting, for as long as it lives.
  class Nested {
   public:
    explicit Nested(TokenStream& stream);
    ~Nested() { --stream_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    TokenStream& stream_;
  };

 private:
  const Source& source_;
  Lexer lexer_;
  Token current_;
  std::optional<Token> ahead_;
  std::size_t depth_ = 0;
};

}  // namespace armature::chat
