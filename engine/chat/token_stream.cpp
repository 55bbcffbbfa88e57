#include "engine/chat/token_stream.h"

#include <utility>

#include "gguf/error.h"

namespace armature::chat {

const Token& TokenStream::ahead() {
  if (!ahead_) ahead_ = lexer_.next();
  return *ahead_;
}

Token TokenStream::take() {
  Token next = ahead_ ? *ahead_ : lexer_.next();
  ahead_.reset();
  return std::exchange(current_, next);
}

bool TokenStream::skip_symbol(std::string_view text) {
  const bool found = at_symbol(text);
  if (found) take();
  return found;
}

bool TokenStream::skip_name(std::string_view text) {
  const bool found = at_name(text);
  if (found) take();
  return found;
}

void TokenStream::expect_symbol(std::string_view text) {
  if (!skip_symbol(text)) fail_unexpected(quote(text));
}

void TokenStream::expect(Token::Kind kind, std::string_view wanted) {
  if (!at(kind)) fail_unexpected(wanted);
  take();
}

std::string TokenStream::take_name(std::string_view wanted) {
  if (!at(Token::Kind::name)) fail_unexpected(wanted);
  return std::string(take().text);
}

void TokenStream::fail_unexpected(std::string_view wanted) const {
  const std::string found = at(Token::Kind::end) ? "the end of the template" : quote(current_.text);
  fail("unexpected " + found + ", expected " + std::string(wanted));
}

TokenStream::Nested::Nested(TokenStream& stream) : stream_(stream) {
  if (stream.depth_ == kMaxNesting) stream.fail("nested deeper than " + std::to_string(kMaxNesting));
  ++stream.depth_;
}

}  // namespace armature::chat
