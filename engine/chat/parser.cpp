#include "engine/chat/parser.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <variant>

#include "engine/chat/expression_parser.h"
#include "engine/chat/token_stream.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

using Kind = Token::Kind;

template <class Node>
ast::StatementPtr make(std::size_t offset, Node node) {
  return std::make_unique<const ast::Statement>(offset, std::move(node));
}

class Parser {
 public:
  explicit Parser(const Source& source) : tokens_(source), expressions_(tokens_) {}

  ast::Block parse() {
    ast::Block block = parse_statements();
    if (!tokens_.at(Kind::end)) tokens_.fail("unexpected " + quote(tokens_.current().text));
    return block;
  }

 private:
  struct Opening {
    std::string_view name;
    std::size_t offset;
  };

  ast::Block parse_statements();
  ast::Block parse_body(const Opening& opening, std::initializer_list<std::string_view> ends);
  ast::StatementPtr parse_output();
  ast::StatementPtr parse_statement(const Token& name);
  ast::If parse_if(const Opening& opening);
  ast::For parse_for(const Opening& opening);
  ast::StatementPtr parse_set(const Opening& opening);
  ast::Macro parse_macro(const Opening& opening);
  ast::FilterBlock parse_filter_block(const Opening& opening);
  ast::With parse_with(const Opening& opening);
  ast::CallBlock parse_call_block(const Opening& opening);
  std::vector<ast::Macro::Parameter> parse_parameters();
  ast::Block parse_macro_body(const Opening& opening, std::string_view end);
  ast::Target parse_target();
  void end_tag() { tokens_.expect(Kind::block_end, "'%}'"); }
  void check_in_loop(const Token& name) const;

  TokenStream tokens_;
  ExpressionParser expressions_;
  std::size_t loops_ = 0;  // around the current place, within the current macro
};

bool ends_a_block(std::string_view name) {
  return name == "elif" || name == "else" || name.substr(0, 3) == "end";
}

/// Statements up to a tag that ends or continues a block, of which the `{%` is taken, or the end.
ast::Block Parser::parse_statements() {
  const TokenStream::Nested nested(tokens_);
  ast::Block block;
  while (!tokens_.at(Kind::end)) {
    if (tokens_.at(Kind::data)) {
      const Token data = tokens_.take();
      block.push_back(make(data.offset, ast::Data{data.text}));
    } else if (tokens_.at(Kind::output_begin)) {
      block.push_back(parse_output());
    } else {
      tokens_.expect(Kind::block_begin, "'{%'");
      if (!tokens_.at(Kind::name)) tokens_.fail_unexpected("a statement");
      if (ends_a_block(tokens_.current().text)) return block;
      block.push_back(parse_statement(tokens_.take()));
    }
  }
  return block;
}

/// The statements after the opening tag up to one of `ends`, whose name is left as the current token.
ast::Block Parser::parse_body(const Opening& opening, std::initializer_list<std::string_view> ends) {
  ast::Block block = parse_statements();
  if (tokens_.at(Kind::end)) {
    tokens_.source().fail(opening.offset, quote(opening.name) + " is not closed: " +
                                              quote("end" + std::string(opening.name)) + " is missing");
  }
  if (std::find(ends.begin(), ends.end(), tokens_.current().text) == ends.end()) {
    tokens_.fail("unexpected " + quote(tokens_.current().text) + " inside of " + quote(opening.name));
  }
  return block;
}

ast::StatementPtr Parser::parse_output() {
  const std::size_t offset = tokens_.take().offset;
  ast::Output output{expressions_.parse_list()};
  tokens_.expect(Kind::output_end, "'}}'");
  return make(offset, std::move(output));
}

ast::StatementPtr Parser::parse_statement(const Token& name) {
  const Opening opening{name.text, name.offset};
  if (name.text == "if") return make(name.offset, parse_if(opening));
  if (name.text == "for") return make(name.offset, parse_for(opening));
  if (name.text == "set") return parse_set(opening);
  if (name.text == "macro") return make(name.offset, parse_macro(opening));
  if (name.text == "filter") return make(name.offset, parse_filter_block(opening));
  if (name.text == "with") return make(name.offset, parse_with(opening));
  if (name.text == "call") return make(name.offset, parse_call_block(opening));
  if (name.text == "generation") {
    end_tag();
    ast::Transparent transparent{parse_body(opening, {"endgeneration"})};
    tokens_.take();
    end_tag();
    return make(name.offset, std::move(transparent));
  }
  if (name.text == "break" || name.text == "continue") {
    check_in_loop(name);
    end_tag();
    if (name.text == "break") return make(name.offset, ast::Break{});
    return make(name.offset, ast::Continue{});
  }
  tokens_.source().fail(name.offset, "the statement " + quote(name.text) + " is not supported");
}

void Parser::check_in_loop(const Token& name) const {
  if (loops_ == 0) tokens_.source().fail(name.offset, quote(name.text) + " outside of a loop");
}

ast::If Parser::parse_if(const Opening& opening) {
  ast::If statement;
  std::string_view word = "if";
  while (word != "endif") {
    ast::If::Branch branch;
    if (word != "else") branch.test = expressions_.parse_list();
    end_tag();
    if (word == "else") {
      branch.body = parse_body(opening, {"endif"});
    } else {
      branch.body = parse_body(opening, {"elif", "else", "endif"});
    }
    statement.branches.push_back(std::move(branch));
    word = tokens_.take().text;
  }
  end_tag();
  return statement;
}

ast::For Parser::parse_for(const Opening& opening) {
  ast::For loop;
  const bool parentheses = tokens_.skip_symbol("(");
  do {
    loop.targets.push_back(tokens_.take_name("the name of a variable"));
  } while (tokens_.skip_symbol(","));
  if (parentheses) tokens_.expect_symbol(")");
  if (!tokens_.skip_name("in")) tokens_.fail_unexpected("'in'");
  loop.iterable = expressions_.parse_list_without_condition();
  if (tokens_.skip_name("if")) loop.filter = expressions_.parse_expression();
  if (tokens_.at_name("recursive")) tokens_.fail("recursive loops are not supported");
  end_tag();
  ++loops_;
  loop.body = parse_body(opening, {"else", "endfor"});
  --loops_;
  if (tokens_.take().text == "else") {
    end_tag();
    loop.otherwise = parse_body(opening, {"endfor"});
    tokens_.take();
  }
  end_tag();
  return loop;
}

ast::Target Parser::parse_target() {
  ast::Target target{tokens_.take_name("the name of a variable"), {}};
  if (tokens_.skip_symbol(".")) target.attribute = tokens_.take_name("the name of an attribute");
  return target;
}

ast::StatementPtr Parser::parse_set(const Opening& opening) {
  ast::Set statement;
  do {
    statement.targets.push_back(parse_target());
  } while (tokens_.skip_symbol(","));
  if (tokens_.skip_symbol("=")) {
    statement.value = expressions_.parse_list();
    end_tag();
    return make(opening.offset, std::move(statement));
  }
  if (statement.targets.size() != 1 || !tokens_.at(Kind::block_end)) tokens_.fail_unexpected("'='");
  end_tag();
  ast::SetBlock block{std::move(statement.targets[0]), parse_body(opening, {"endset"})};
  tokens_.take();
  end_tag();
  return make(opening.offset, std::move(block));
}

std::vector<ast::Macro::Parameter> Parser::parse_parameters() {
  std::vector<ast::Macro::Parameter> parameters;
  tokens_.expect_symbol("(");
  while (!tokens_.at_symbol(")")) {
    ast::Macro::Parameter parameter{tokens_.take_name("the name of a parameter"), nullptr};
    if (tokens_.skip_symbol("=")) parameter.fallback = expressions_.parse_expression();
    parameters.push_back(std::move(parameter));
    if (!tokens_.at_symbol(")")) tokens_.expect_symbol(",");
  }
  tokens_.take();
  return parameters;
}

/// The body up to and with the tag `end`. The loops around do not count in it.
ast::Block Parser::parse_macro_body(const Opening& opening, std::string_view end) {
  end_tag();
  const std::size_t loops_around = std::exchange(loops_, 0);
  ast::Block body = parse_body(opening, {end});
  loops_ = loops_around;
  tokens_.take();
  end_tag();
  return body;
}

ast::Macro Parser::parse_macro(const Opening& opening) {
  ast::Macro macro;
  macro.name = tokens_.take_name("the name of the macro");
  macro.parameters = parse_parameters();
  macro.body = parse_macro_body(opening, "endmacro");
  return macro;
}

ast::FilterBlock Parser::parse_filter_block(const Opening& opening) {
  ast::FilterBlock block;
  do {
    block.filters.push_back(expressions_.parse_filter());
  } while (tokens_.skip_symbol("|"));
  block.body = parse_macro_body(opening, "endfilter");
  return block;
}

ast::With Parser::parse_with(const Opening& opening) {
  ast::With with;
  while (!tokens_.at(Kind::block_end)) {
    std::string name = tokens_.take_name("the name of a variable");
    tokens_.expect_symbol("=");
    with.variables.emplace_back(std::move(name), expressions_.parse_expression());
    if (!tokens_.at(Kind::block_end)) tokens_.expect_symbol(",");
  }
  end_tag();
  with.body = parse_body(opening, {"endwith"});
  tokens_.take();
  end_tag();
  return with;
}

ast::CallBlock Parser::parse_call_block(const Opening& opening) {
  ast::CallBlock block;
  block.caller.name = "caller";
  if (tokens_.at_symbol("(")) block.caller.parameters = parse_parameters();
  const std::size_t offset = tokens_.current().offset;
  block.call = expressions_.parse_expression();
  const auto* postfix = std::get_if<ast::Postfix>(&block.call->node);
  const bool calls = postfix && (std::holds_alternative<ast::Call>(postfix->links.back().node) ||
                                 std::holds_alternative<ast::MethodCall>(postfix->links.back().node));
  if (!calls) tokens_.source().fail(offset, "'call' wants a call of a macro");
  block.caller.body = parse_macro_body(opening, "endcall");
  return block;
}

}  // namespace

ast::Block parse_template(const Source& source) { return Parser(source).parse(); }

}  // namespace armature::chat
