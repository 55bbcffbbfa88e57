#include "engine/chat/evaluation_depth.h"
#include "engine/chat/evaluator.h"
#include "engine/chat/operators.h"
#include "engine/chat/print.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

Value Evaluator::evaluate(const ast::Expression& expression) {
  const EvaluationDepth deeper(context_, depth_);
  context_.set_place(expression.offset);
  context_.step();
  return std::visit(*this, expression.node);
}

Value Evaluator::evaluate_optional(const ast::ExpressionPtr& expression) {
  return expression ? evaluate(*expression) : Value();
}

Value Evaluator::operator()(const ast::Literal& node) { return node.value; }

Value Evaluator::operator()(const ast::Name& node) {
  for (const Scope* scope = scope_.get(); scope; scope = scope->parent.get()) {
    context_.charge(node.name.size());
    const auto found = scope->variables.find(node.name);
    if (found != scope->variables.end()) return found->second;
  }
  if (const Function function = find_function(node.name)) {
    return Value(std::shared_ptr<Object>(context_.make_object<FunctionObject>(function)));
  }
  return Value::undefined(quote(node.name));
}

Value Evaluator::operator()(const ast::ListDisplay& node) {
  std::vector<Value> items;
  items.reserve(node.items.size());
  for (const ast::ExpressionPtr& item : node.items) items.push_back(evaluate(*item));
  return node.is_tuple ? context_.tuple(std::move(items)) : context_.list(std::move(items));
}

Value Evaluator::operator()(const ast::DictDisplay& node) {
  const std::size_t place = context_.place();
  std::vector<Dict::Entry> entries;
  for (const auto& [key, value] : node.entries) {
    Value evaluated_key = evaluate(*key);
    entries.emplace_back(std::move(evaluated_key), evaluate(*value));
  }
  context_.set_place(place);
  return context_.dict(std::move(entries));
}

Value Evaluator::operator()(const ast::Not& node) { return Value(!evaluate(*node.operand).truthy()); }

Value Evaluator::operator()(const ast::Sign& node) {
  const std::size_t place = context_.place();
  const Value operand = evaluate(*node.operand);
  context_.set_place(place);
  return node.negative ? negate(context_, operand) : negate(context_, negate(context_, operand));
}

/// A sum of many strings is built in one text instead of one text per operator.
Value Evaluator::operator()(const ast::Arithmetic& node) {
  Value result = evaluate(*node.first);
  std::optional<TextBuilder> sum;
  for (const ast::Term& term : node.terms) {
    const Value operand = evaluate(*term.operand);
    context_.set_place(term.offset);
    if (term.op == ast::Operator::add && operand.is_string() && (sum || result.is_string())) {
      if (!sum) sum.emplace(context_).append(*result.as_text());
      sum->append(*operand.as_text());
      continue;
    }
    if (sum) result = sum->value();
    sum.reset();
    result = arithmetic(context_, term.op, result, operand);
  }
  return sum ? sum->value() : result;
}

Value Evaluator::operator()(const ast::Comparison& node) {
  Value left = evaluate(*node.first);
  for (const ast::Term& term : node.terms) {
    Value right = evaluate(*term.operand);
    context_.set_place(term.offset);
    if (!compare(context_, term.op, left, right)) return Value(false);
    left = std::move(right);
  }
  return Value(true);
}

Value Evaluator::operator()(const ast::Concatenation& node) {
  TextBuilder result(context_);
  for (const ast::ExpressionPtr& part : node.parts) print(result, evaluate(*part));
  return result.value();
}

/// The operand that decides, not a bool.
Value Evaluator::operator()(const ast::Logic& node) {
  Value value;
  for (const ast::ExpressionPtr& operand : node.operands) {
    value = evaluate(*operand);
    if (value.truthy() == (node.kind == ast::Logic::Kind::any)) break;
  }
  return value;
}

Value Evaluator::operator()(const ast::Conditional& node) {
  if (evaluate(*node.test).truthy()) return evaluate(*node.then);
  return node.otherwise ? evaluate(*node.otherwise) : Value::undefined("a condition without 'else'");
}

Value Evaluator::operator()(const ast::Postfix& node) {
  Value value = evaluate(*node.base);
  for (const ast::Link& link : node.links) {
    context_.step();
    value = follow(link, value);
  }
  return value;
}

Arguments Evaluator::evaluate_arguments(const ast::Arguments& arguments) {
  Arguments values;
  for (const ast::ExpressionPtr& argument : arguments.positional) {
    values.positional.push_back(evaluate(*argument));
  }
  for (const auto& [name, argument] : arguments.named) values.named.emplace_back(name, evaluate(*argument));
  return values;
}

Value Evaluator::follow(const ast::Link& link, const Value& subject) {
  // Arguments are evaluated first; then the place is the link again.
  const auto arguments_of = [&](const ast::Arguments& arguments) {
    Arguments values = evaluate_arguments(arguments);
    context_.set_place(link.offset);
    return values;
  };
  context_.set_place(link.offset);
  return std::visit(
      Overloaded{
          [&](const ast::Attribute& node) { return attribute_of(context_, subject, node.name); },
          [&](const ast::Item& node) {
            const Value key = evaluate(*node.key);
            context_.set_place(link.offset);
            return item_of(context_, subject, key);
          },
          [&](const ast::Slice& node) {
            const Value start = evaluate_optional(node.start);
            const Value stop = evaluate_optional(node.stop);
            const Value step = evaluate_optional(node.step);
            context_.set_place(link.offset);
            return slice_of(context_, subject, start, stop, step);
          },
          [&](const ast::Call& node) { return call(subject, arguments_of(node.arguments)); },
          [&](const ast::MethodCall& node) {
            return call_method_of(subject, node.name, arguments_of(node.arguments));
          },
          [&](const ast::Filter& node) {
            const Arguments arguments = arguments_of(node.arguments);
            return require_filter(context_, node.name)(context_, subject, arguments);
          },
          [&](const ast::Test& node) {
            const Arguments arguments = arguments_of(node.arguments);
            return Value(require_test(context_, node.name)(context_, subject, arguments) != node.negated);
          },
      },
      link.node);
}

Value Evaluator::call(const Value& callee, const Arguments& arguments) {
  auto* callable = dynamic_cast<Callable*>(callee.as_object());
  if (!callable) context_.fail(describe(callee) + " cannot be called");
  return callable->call(context_, arguments);
}

/// A macro kept in a namespace or dict is called like a method.
Value Evaluator::call_method_of(const Value& subject, std::string_view name, const Arguments& arguments) {
  const Value attribute =
      subject.is_string() || subject.as_list() ? Value() : attribute_of(context_, subject, name);
  if (dynamic_cast<const Callable*>(attribute.as_object())) return call(attribute, arguments);
  return call_method(context_, subject, name, arguments);
}

}  // namespace armature::chat
