#pragma once

#include <optional>
#include <string_view>

#include "engine/chat/ast.h"
#include "engine/chat/token_stream.h"

namespace armature::chat {

/// Recursive descent over the expressions of the template language, one function per precedence.
class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

  /// An expression, or several with commas between them, which make a tuple.
  ast::ExpressionPtr parse_list();
  /// The same without `a if b else c`, for places where `if` means something else.
  ast::ExpressionPtr parse_list_without_condition();
  ast::ExpressionPtr parse_expression();
  /// The name of a filter and its arguments.
  ast::Link parse_filter();

 private:
  using OperatorOf = std::optional<ast::Operator> (ExpressionParser::*)();
  using Parse = ast::ExpressionPtr (ExpressionParser::*)();

  ast::ExpressionPtr parse_list_of(Parse part);
  ast::ExpressionPtr parse_or();
  ast::ExpressionPtr parse_and();
  ast::ExpressionPtr parse_logic(ast::Logic::Kind kind, std::string_view word, Parse operand);
  ast::ExpressionPtr parse_not();
  ast::ExpressionPtr parse_comparison();
  ast::ExpressionPtr parse_sum();
  ast::ExpressionPtr parse_concatenation();
  ast::ExpressionPtr parse_product();
  ast::ExpressionPtr parse_power();
  ast::ExpressionPtr parse_signed();
  ast::ExpressionPtr parse_sign(bool with_filters);
  ast::ExpressionPtr parse_postfix(bool with_filters);
  ast::ExpressionPtr parse_primary();
  ast::ExpressionPtr parse_name();
  ast::ExpressionPtr parse_number();
  ast::ExpressionPtr parse_strings();
  ast::ExpressionPtr parse_parentheses();
  ast::ExpressionPtr parse_list_display();
  ast::ExpressionPtr parse_dict_display();

  template <class Chain>
  ast::ExpressionPtr parse_chain(Parse operand, OperatorOf next_operator);
  std::optional<ast::Operator> take_operator(
      std::initializer_list<std::pair<std::string_view, ast::Operator>> of);
  std::optional<ast::Operator> take_comparison();
  std::optional<ast::Operator> take_sum();
  std::optional<ast::Operator> take_product();
  std::optional<ast::Operator> take_power();

  bool parse_access(std::vector<ast::Link>& links);
  bool parse_filter_or_test(std::vector<ast::Link>& links);
  ast::Link parse_attribute();
  ast::Link parse_item_or_slice();
  ast::Link parse_test();
  bool at_test_argument();
  ast::Arguments parse_arguments();

  TokenStream& tokens_;
};

}  // namespace armature::chat
