#include "engine/chat/expression_parser.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "gguf/error.h"

namespace armature::chat {

using ast::ExpressionPtr;
using ast::Operator;
using Kind = Token::Kind;

namespace {

template <class Node>
ExpressionPtr make(std::size_t offset, Node node) {
  return std::make_unique<const ast::Expression>(offset, std::move(node));
}

}  // namespace

ExpressionPtr ExpressionParser::parse_list() { return parse_list_of(&ExpressionParser::parse_expression); }

ExpressionPtr ExpressionParser::parse_list_without_condition() {
  return parse_list_of(&ExpressionParser::parse_or);
}

ExpressionPtr ExpressionParser::parse_list_of(Parse part) {
  const std::size_t offset = tokens_.current().offset;
  ExpressionPtr first = (this->*part)();
  if (!tokens_.at_symbol(",")) return first;
  ast::ListDisplay list;
  list.is_tuple = true;
  list.items.push_back(std::move(first));
  while (tokens_.skip_symbol(",")) {
    if (tokens_.at(Kind::output_end) || tokens_.at(Kind::block_end) || tokens_.at_symbol(")")) break;
    list.items.push_back((this->*part)());
  }
  return make(offset, std::move(list));
}

ExpressionPtr ExpressionParser::parse_expression() {
  const TokenStream::Nested nested(tokens_);
  const std::size_t offset = tokens_.current().offset;
  ExpressionPtr value = parse_or();
  if (!tokens_.skip_name("if")) return value;
  ast::Conditional conditional;
  conditional.then = std::move(value);
  conditional.test = parse_or();
  if (tokens_.skip_name("else")) conditional.otherwise = parse_expression();
  return make(offset, std::move(conditional));
}

ExpressionPtr ExpressionParser::parse_or() {
  return parse_logic(ast::Logic::Kind::any, "or", &ExpressionParser::parse_and);
}

ExpressionPtr ExpressionParser::parse_and() {
  return parse_logic(ast::Logic::Kind::all, "and", &ExpressionParser::parse_not);
}

ExpressionPtr ExpressionParser::parse_logic(ast::Logic::Kind kind, std::string_view word, Parse operand) {
  const std::size_t offset = tokens_.current().offset;
  ExpressionPtr first = (this->*operand)();
  if (!tokens_.at_name(word)) return first;
  ast::Logic logic{kind, {}};
  logic.operands.push_back(std::move(first));
  while (tokens_.skip_name(word)) logic.operands.push_back((this->*operand)());
  return make(offset, std::move(logic));
}

ExpressionPtr ExpressionParser::parse_not() {
  const std::size_t offset = tokens_.current().offset;
  if (!tokens_.skip_name("not")) return parse_comparison();
  const TokenStream::Nested nested(tokens_);
  return make(offset, ast::Not{parse_not()});
}

/// Operands with operators of one precedence between them; a single operand stays as it is.
template <class Chain>
ExpressionPtr ExpressionParser::parse_chain(Parse operand, OperatorOf next_operator) {
  const std::size_t offset = tokens_.current().offset;
  ExpressionPtr first = (this->*operand)();
  std::size_t operator_offset = tokens_.current().offset;
  std::optional<Operator> op = (this->*next_operator)();
  if (!op) return first;
  Chain chain{std::move(first), {}};
  while (op) {
    chain.terms.push_back({*op, operator_offset, (this->*operand)()});
    operator_offset = tokens_.current().offset;
    op = (this->*next_operator)();
  }
  return make(offset, std::move(chain));
}

ExpressionPtr ExpressionParser::parse_comparison() {
  return parse_chain<ast::Comparison>(&ExpressionParser::parse_sum, &ExpressionParser::take_comparison);
}

ExpressionPtr ExpressionParser::parse_sum() {
  return parse_chain<ast::Arithmetic>(&ExpressionParser::parse_concatenation, &ExpressionParser::take_sum);
}

ExpressionPtr ExpressionParser::parse_concatenation() {
  const std::size_t offset = tokens_.current().offset;
  ExpressionPtr first = parse_product();
  if (!tokens_.at_symbol("~")) return first;
  ast::Concatenation concatenation;
  concatenation.parts.push_back(std::move(first));
  while (tokens_.skip_symbol("~")) concatenation.parts.push_back(parse_product());
  return make(offset, std::move(concatenation));
}

ExpressionPtr ExpressionParser::parse_product() {
  return parse_chain<ast::Arithmetic>(&ExpressionParser::parse_power, &ExpressionParser::take_product);
}

ExpressionPtr ExpressionParser::parse_power() {
  return parse_chain<ast::Arithmetic>(&ExpressionParser::parse_signed, &ExpressionParser::take_power);
}

std::optional<Operator> ExpressionParser::take_operator(
    std::initializer_list<std::pair<std::string_view, Operator>> of) {
  for (const auto& [text, op] : of) {
    if (tokens_.skip_symbol(text)) return op;
  }
  return std::nullopt;
}

std::optional<Operator> ExpressionParser::take_comparison() {
  if (tokens_.skip_name("in")) return Operator::in;
  if (tokens_.at_name("not") && tokens_.ahead().kind == Kind::name && tokens_.ahead().text == "in") {
    tokens_.take();
    tokens_.take();
    return Operator::not_in;
  }
  return take_operator({{"==", Operator::equal},
                        {"!=", Operator::not_equal},
                        {"<", Operator::less},
                        {"<=", Operator::less_equal},
                        {">", Operator::greater},
                        {">=", Operator::greater_equal}});
}

std::optional<Operator> ExpressionParser::take_sum() {
  return take_operator({{"+", Operator::add}, {"-", Operator::subtract}});
}

std::optional<Operator> ExpressionParser::take_product() {
  return take_operator({{"*", Operator::multiply},
                        {"/", Operator::divide},
                        {"//", Operator::floor_divide},
                        {"%", Operator::modulo}});
}

std::optional<Operator> ExpressionParser::take_power() { return take_operator({{"**", Operator::power}}); }

ExpressionPtr ExpressionParser::parse_signed() { return parse_sign(true); }

/// A filter behind a sign belongs to the signed number: -1 | abs is 1.
ExpressionPtr ExpressionParser::parse_sign(bool with_filters) {
  const std::size_t offset = tokens_.current().offset;
  const bool negative = tokens_.at_symbol("-");
  if (!negative && !tokens_.at_symbol("+")) return parse_postfix(with_filters);
  const TokenStream::Nested nested(tokens_);
  tokens_.take();
  ExpressionPtr number = make(offset, ast::Sign{negative, parse_sign(false)});
  ast::Postfix postfix{std::move(number), {}};
  while (with_filters && parse_filter_or_test(postfix.links)) {
  }
  if (postfix.links.empty()) return std::move(postfix.base);
  return make(offset, std::move(postfix));
}

ExpressionPtr ExpressionParser::parse_postfix(bool with_filters) {
  const std::size_t offset = tokens_.current().offset;
  ast::Postfix postfix{parse_primary(), {}};
  while (parse_access(postfix.links)) {
  }
  // Behind a filter or a test only more of them and calls can follow.
  while (with_filters && parse_filter_or_test(postfix.links)) {
  }
  if (postfix.links.empty()) return std::move(postfix.base);
  return make(offset, std::move(postfix));
}

/// .name, [item] or a call; false when none stands here.
bool ExpressionParser::parse_access(std::vector<ast::Link>& links) {
  const std::size_t offset = tokens_.current().offset;
  if (tokens_.at_symbol(".")) {
    links.push_back(parse_attribute());
  } else if (tokens_.at_symbol("[")) {
    links.push_back(parse_item_or_slice());
  } else if (tokens_.at_symbol("(")) {
    links.push_back({offset, ast::Call{parse_arguments()}});
  } else {
    return false;
  }
  return true;
}

bool ExpressionParser::parse_filter_or_test(std::vector<ast::Link>& links) {
  if (tokens_.skip_symbol("|")) {
    links.push_back(parse_filter());
  } else if (tokens_.at_name("is")) {
    links.push_back(parse_test());
  } else if (tokens_.at_symbol("(")) {
    links.push_back({tokens_.current().offset, ast::Call{parse_arguments()}});
  } else {
    return false;
  }
  return true;
}

ast::Link ExpressionParser::parse_attribute() {
  tokens_.take();
  const std::size_t offset = tokens_.current().offset;
  if (tokens_.at(Kind::integer)) return {offset, ast::Item{parse_number()}};
  std::string name = tokens_.take_name("the name of an attribute");
  if (!tokens_.at_symbol("(")) return {offset, ast::Attribute{std::move(name)}};
  return {offset, ast::MethodCall{std::move(name), parse_arguments()}};
}

ast::Link ExpressionParser::parse_item_or_slice() {
  const std::size_t offset = tokens_.take().offset;
  std::array<ExpressionPtr, 3> parts;
  std::size_t colons = 0;
  while (!tokens_.at_symbol("]")) {
    if (tokens_.at_symbol(":")) {
      if (++colons == parts.size()) tokens_.fail("a slice has at most three parts");
      tokens_.take();
    } else {
      if (parts[colons]) tokens_.fail_unexpected("']'");
      parts[colons] = parse_expression();
    }
  }
  if (colons == 0 && !parts[0]) tokens_.fail("an item without a key");
  tokens_.expect_symbol("]");
  if (colons == 0) return {offset, ast::Item{std::move(parts[0])}};
  return {offset, ast::Slice{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])}};
}

ast::Link ExpressionParser::parse_filter() {
  const std::size_t offset = tokens_.current().offset;
  ast::Filter filter{tokens_.take_name("the name of a filter"), {}};
  if (tokens_.at_symbol("(")) filter.arguments = parse_arguments();
  return {offset, std::move(filter)};
}

ast::Link ExpressionParser::parse_test() {
  tokens_.take();
  const std::size_t offset = tokens_.current().offset;
  const bool negated = tokens_.skip_name("not");
  ast::Test test{tokens_.take_name("the name of a test"), negated, {}};
  if (tokens_.at_symbol("(")) {
    test.arguments = parse_arguments();
  } else if (at_test_argument()) {
    test.arguments.positional.push_back(parse_postfix(false));
  }
  return {offset, std::move(test)};
}

/// A test may have one argument without parentheses: x is divisibleby 3.
bool ExpressionParser::at_test_argument() {
  if (tokens_.at(Kind::name)) {
    constexpr std::array<std::string_view, 7> kFollowing = {"and", "or", "not", "if", "else", "in", "is"};
    return std::find(kFollowing.begin(), kFollowing.end(), tokens_.current().text) == kFollowing.end();
  }
  return tokens_.at(Kind::string) || tokens_.at(Kind::integer) || tokens_.at(Kind::real) ||
         tokens_.at_symbol("[") || tokens_.at_symbol("{");
}

ast::Arguments ExpressionParser::parse_arguments() {
  tokens_.expect_symbol("(");
  ast::Arguments arguments;
  while (!tokens_.at_symbol(")")) {
    if (tokens_.at(Kind::name) && tokens_.ahead().kind == Kind::symbol && tokens_.ahead().text == "=") {
      std::string name(tokens_.take().text);
      tokens_.take();
      arguments.named.emplace_back(std::move(name), parse_expression());
    } else {
      if (!arguments.named.empty()) tokens_.fail("an argument without a name behind one with a name");
      arguments.positional.push_back(parse_expression());
    }
    if (!tokens_.at_symbol(")")) tokens_.expect_symbol(",");
  }
  tokens_.take();
  return arguments;
}

ExpressionPtr ExpressionParser::parse_primary() {
  if (tokens_.at(Kind::name)) return parse_name();
  if (tokens_.at(Kind::string)) return parse_strings();
  if (tokens_.at(Kind::integer) || tokens_.at(Kind::real)) return parse_number();
  if (tokens_.at_symbol("(")) return parse_parentheses();
  if (tokens_.at_symbol("[")) return parse_list_display();
  if (tokens_.at_symbol("{")) return parse_dict_display();
  tokens_.fail_unexpected("an expression");
}

ExpressionPtr ExpressionParser::parse_name() {
  const Token token = tokens_.take();
  const auto literal = [&](Value value) { return make(token.offset, ast::Literal{std::move(value)}); };
  if (token.text == "true" || token.text == "True") return literal(Value(true));
  if (token.text == "false" || token.text == "False") return literal(Value(false));
  if (token.text == "none" || token.text == "None") return literal(Value::none());
  return make(token.offset, ast::Name{std::string(token.text)});
}

ExpressionPtr ExpressionParser::parse_number() {
  const Token token = tokens_.current();
  std::string digits(token.text);
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  const char* end = digits.data() + digits.size();
  const auto read = [&](auto number) {
    const auto [stop, fault] = std::from_chars(digits.data(), end, number);
    if (fault != std::errc{} || stop != end) tokens_.fail("a number that is too large: " + quote(token.text));
    return Value(number);
  };
  Value value = token.kind == Kind::integer ? read(std::int64_t{}) : read(double{});
  tokens_.take();
  return make(token.offset, ast::Literal{std::move(value)});
}

/// Strings that stand next to each other are one.
ExpressionPtr ExpressionParser::parse_strings() {
  const std::size_t offset = tokens_.current().offset;
  Text text;
  while (tokens_.at(Kind::string)) {
    text.append(unescape(tokens_.source(), tokens_.take()), Text::Origin::written);
  }
  return make(offset, ast::Literal{Value(std::move(text))});
}

ExpressionPtr ExpressionParser::parse_parentheses() {
  const std::size_t offset = tokens_.take().offset;
  if (tokens_.skip_symbol(")")) return make(offset, ast::ListDisplay{{}, true});
  ExpressionPtr inner = parse_list();
  tokens_.expect_symbol(")");
  return inner;
}

ExpressionPtr ExpressionParser::parse_list_display() {
  const std::size_t offset = tokens_.take().offset;
  ast::ListDisplay list;
  while (!tokens_.at_symbol("]")) {
    list.items.push_back(parse_expression());
    if (!tokens_.at_symbol("]")) tokens_.expect_symbol(",");
  }
  tokens_.take();
  return make(offset, std::move(list));
}

ExpressionPtr ExpressionParser::parse_dict_display() {
  const std::size_t offset = tokens_.take().offset;
  ast::DictDisplay dict;
  while (!tokens_.at_symbol("}")) {
    ExpressionPtr key = parse_expression();
    tokens_.expect_symbol(":");
    dict.entries.emplace_back(std::move(key), parse_expression());
    if (!tokens_.at_symbol("}")) tokens_.expect_symbol(",");
  }
  tokens_.take();
  return make(offset, std::move(dict));
}

}  // namespace armature::chat
