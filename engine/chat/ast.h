#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/chat/value.h"

/// The tree of a parsed template. Chains of one precedence, such as a + b + c or a.b[c] | d, are one flat
/// node: the depth of the tree is the nesting that one sees in the source. Offsets are bytes of the source.
namespace armature::chat::ast {

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;

enum class Operator {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in,
};

struct Arguments {
  std::vector<ExpressionPtr> positional;
  std::vector<std::pair<std::string, ExpressionPtr>> named;
};

struct Literal {
  Value value;
};
struct Name {
  std::string name;
};
struct ListDisplay {
  std::vector<ExpressionPtr> items;
  bool is_tuple = false;
};
struct DictDisplay {
  std::vector<std::pair<ExpressionPtr, ExpressionPtr>> entries;
};
struct Not {
  ExpressionPtr operand;
};
struct Sign {
  bool negative;
  ExpressionPtr operand;
};

struct Term {
  Operator op;
  std::size_t offset;  // of the operator
  ExpressionPtr operand;
};
struct Arithmetic {  // from left to right
  ExpressionPtr first;
  std::vector<Term> terms;
};
struct Comparison {  // a < b < c means a < b and b < c
  ExpressionPtr first;
  std::vector<Term> terms;
};
struct Concatenation {  // a ~ b ~ c
  std::vector<ExpressionPtr> parts;
};
struct Logic {
  enum class Kind { all, any };  // `and`, `or`
  Kind kind;
  std::vector<ExpressionPtr> operands;
};
struct Conditional {                    // a if test else b
  ExpressionPtr test, then, otherwise;  // otherwise may be null
};

struct Attribute {  // .name
  std::string name;
};
struct Item {  // [key]
  ExpressionPtr key;
};
struct Slice {  // [start:stop:step], each may be null
  ExpressionPtr start, stop, step;
};
struct Call {  // (...)
  Arguments arguments;
};
struct MethodCall {  // .name(...)
  std::string name;
  Arguments arguments;
};
struct Filter {  // | name(...)
  std::string name;
  Arguments arguments;
};
struct Test {  // is name(...)
  std::string name;
  bool negated;
  Arguments arguments;
};
struct Link {
  std::size_t offset;
  std::variant<Attribute, Item, Slice, Call, MethodCall, Filter, Test> node;
};
struct Postfix {
  ExpressionPtr base;
  std::vector<Link> links;
};

struct Expression {
  template <class Node>
  Expression(std::size_t begin, Node&& is) : offset(begin), node(std::forward<Node>(is)) {}

  std::size_t offset;
  std::variant<Literal, Name, ListDisplay, DictDisplay, Not, Sign, Arithmetic, Comparison, Concatenation,
               Logic, Conditional, Postfix>
      node;
};

struct Statement;
using StatementPtr = std::unique_ptr<const Statement>;
using Block = std::vector<StatementPtr>;

struct Data {
  std::string_view text;  // a part of the source
};
struct Output {
  ExpressionPtr value;
};
struct If {
  struct Branch {
    ExpressionPtr test;  // null for `else`
    Block body;
  };
  std::vector<Branch> branches;
};
struct For {
  std::vector<std::string> targets;
  ExpressionPtr iterable;
  ExpressionPtr filter;  // may be null
  Block body;
  Block otherwise;  // when there was nothing to walk
};
struct Target {
  std::string name;
  std::string attribute;  // of a namespace; empty for a variable
};
struct Set {
  std::vector<Target> targets;
  ExpressionPtr value;
};
struct SetBlock {  // {% set x %} ... {% endset %}
  Target target;
  Block body;
};
struct Macro {
  struct Parameter {
    std::string name;
    ExpressionPtr fallback;  // may be null
  };
  std::string name;
  std::vector<Parameter> parameters;
  Block body;
};
struct FilterBlock {  // {% filter upper | trim %}
  std::vector<Link> filters;
  Block body;
};
struct With {  // {% with a = 1, b = 2 %}: the values do not see the names
  std::vector<std::pair<std::string, ExpressionPtr>> variables;
  Block body;
};
struct CallBlock {  // {% call(x) f(1) %}: the body is the macro `caller`, which f can call
  Macro caller;
  ExpressionPtr call;  // a Postfix that ends with a Call or MethodCall
};
struct Transparent {  // {% generation %}: shows its body, without a scope of its own
  Block body;
};
struct Break {};
struct Continue {};

struct Statement {
  template <class Node>
  Statement(std::size_t begin, Node&& is) : offset(begin), node(std::forward<Node>(is)) {}

  std::size_t offset;
  std::variant<Data, Output, If, For, Set, SetBlock, Macro, FilterBlock, With, CallBlock, Transparent, Break,
               Continue>
      node;
};

}  // namespace armature::chat::ast
