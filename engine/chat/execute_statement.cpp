#include <algorithm>

#include "engine/chat/evaluation_depth.h"
#include "engine/chat/evaluator.h"
#include "engine/chat/loop.h"
#include "engine/chat/operators.h"
#include "engine/chat/print.h"
#include "gguf/error.h"

namespace armature::chat {

using Flow = Evaluator::Flow;

namespace {

/// A macro with the scope in which it was defined.
class MacroObject : public Callable {
 public:
  MacroObject(Evaluator& evaluator, const ast::Macro& macro, std::shared_ptr<Scope> scope)
      : evaluator_(evaluator), macro_(macro), scope_(std::move(scope)) {}

  std::string_view kind() const override { return "a macro"; }
  Value call(Context&, const Arguments& arguments) override {
    return evaluator_.call_macro(macro_, scope_, arguments);
  }
  void release() override { scope_.reset(); }

 private:
  Evaluator& evaluator_;
  const ast::Macro& macro_;
  std::shared_ptr<Scope> scope_;
};

/// What a macro finds the body of a call block under.
constexpr std::string_view kCaller = "caller";

std::shared_ptr<Scope> scope_within(std::shared_ptr<Scope> parent) {
  auto scope = std::make_shared<Scope>();
  scope->parent = std::move(parent);
  return scope;
}

}  // namespace

Text Evaluator::render(const ast::Block& block) {
  execute(block);
  return output_.take();
}

Flow Evaluator::execute(const ast::Block& block) {
  const EvaluationDepth deeper(context_, depth_);
  for (const ast::StatementPtr& statement : block) {
    context_.set_place(statement->offset);
    context_.step();
    const Flow flow = std::visit(*this, statement->node);
    if (flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

Flow Evaluator::operator()(const ast::Data& node) {
  output_.append(node.text);
  return Flow::normal;
}

Flow Evaluator::operator()(const ast::Output& node) {
  print(output_, evaluate(*node.value));
  return Flow::normal;
}

Flow Evaluator::operator()(const ast::If& node) {
  for (const ast::If::Branch& branch : node.branches) {
    if (!branch.test || evaluate(*branch.test).truthy()) return execute(branch.body);
  }
  return Flow::normal;
}

/// The list that the loop walks, after its filter. The filter sees the targets, but no `loop`.
Value Evaluator::loop_items(const ast::For& node) {
  const std::size_t place = context_.place();
  const Value walked = evaluate(*node.iterable);
  context_.set_place(place);
  const Value list = elements_of(context_, walked);
  if (!node.filter) return list;
  std::vector<Value> kept;
  const std::shared_ptr<Scope> outer = scope_;
  for (const Value& item : list.as_list()->items()) {
    scope_ = scope_within(outer);
    bind_targets(*scope_, node.targets, item);
    if (evaluate(*node.filter).truthy()) kept.push_back(item);
  }
  scope_ = outer;
  return context_.list(std::move(kept));
}

Flow Evaluator::operator()(const ast::For& node) {
  const auto loop = context_.make_object<Loop>(loop_items(node));
  const std::size_t place = context_.place();
  const std::shared_ptr<Scope> outer = scope_;
  if (loop->items().empty()) {
    scope_ = scope_within(outer);
    const Flow flow = execute(node.otherwise);
    scope_ = outer;
    return flow;
  }
  for (std::size_t i = 0; i < loop->items().size(); ++i) {
    loop->set_turn(i);
    context_.set_place(place);
    context_.step();
    scope_ = scope_within(outer);
    scope_->variables.emplace("loop", Value(std::shared_ptr<Object>(loop)));
    bind_targets(*scope_, node.targets, loop->items()[i]);
    if (execute(node.body) == Flow::leave) break;
  }
  scope_ = outer;
  return Flow::normal;
}

void Evaluator::bind_targets(Scope& scope, const std::vector<std::string>& targets, const Value& value) {
  if (targets.size() == 1) {
    scope.variables.insert_or_assign(targets[0], value);
    return;
  }
  const Value parts = elements_of(context_, value);
  const std::vector<Value>& items = parts.as_list()->items();
  if (items.size() != targets.size()) {
    context_.fail(std::to_string(targets.size()) + " variables for " + std::to_string(items.size()) +
                  " values");
  }
  for (std::size_t i = 0; i < targets.size(); ++i) scope.variables.insert_or_assign(targets[i], items[i]);
}

void Evaluator::assign(const ast::Target& target, Value value) {
  if (target.attribute.empty()) {
    scope_->variables.insert_or_assign(target.name, std::move(value));
    return;
  }
  const Value holder = (*this)(ast::Name{target.name});
  auto* holding = dynamic_cast<Namespace*>(holder.as_object());
  if (!holding) context_.fail("only a namespace has attributes that can be set, not " + describe(holder));
  holding->set(target.attribute, std::move(value));
}

Flow Evaluator::operator()(const ast::Set& node) {
  const std::size_t place = context_.place();
  const Value value = evaluate(*node.value);
  context_.set_place(place);
  if (node.targets.size() == 1) {
    assign(node.targets[0], value);
    return Flow::normal;
  }
  const Value parts = elements_of(context_, value);
  const std::vector<Value>& items = parts.as_list()->items();
  if (items.size() != node.targets.size()) {
    context_.fail(std::to_string(node.targets.size()) + " variables for " + std::to_string(items.size()) +
                  " values");
  }
  for (std::size_t i = 0; i < items.size(); ++i) assign(node.targets[i], items[i]);
  return Flow::normal;
}

Flow Evaluator::operator()(const ast::SetBlock& node) {
  const std::size_t place = context_.place();
  Value value(capture(node.body, scope_within(scope_)));
  context_.set_place(place);
  assign(node.target, std::move(value));
  return Flow::normal;
}

Flow Evaluator::operator()(const ast::Macro& node) {
  const auto macro = context_.make_object<MacroObject>(*this, node, scope_);
  scope_->variables.insert_or_assign(node.name, Value(std::shared_ptr<Object>(macro)));
  return Flow::normal;
}

Flow Evaluator::operator()(const ast::FilterBlock& node) {
  Value value(capture(node.body, scope_within(scope_)));
  for (const ast::Link& filter : node.filters) value = follow(filter, value);
  print(output_, value);
  return Flow::normal;
}

Flow Evaluator::operator()(const ast::With& node) {
  const std::shared_ptr<Scope> inner = scope_within(scope_);
  for (const auto& [name, value] : node.variables) inner->variables.insert_or_assign(name, evaluate(*value));
  const std::shared_ptr<Scope> outer = std::exchange(scope_, inner);
  const Flow flow = execute(node.body);
  scope_ = outer;
  return flow;
}

/// The call gets the body as one more argument, `caller`.
Flow Evaluator::operator()(const ast::CallBlock& node) {
  const auto& postfix = std::get<ast::Postfix>(node.call->node);
  const ast::Link& last = postfix.links.back();
  Value subject = evaluate(*postfix.base);
  for (std::size_t i = 0; i + 1 < postfix.links.size(); ++i) subject = follow(postfix.links[i], subject);
  const auto* method = std::get_if<ast::MethodCall>(&last.node);
  Arguments arguments =
      evaluate_arguments(method ? method->arguments : std::get<ast::Call>(last.node).arguments);
  const auto caller = context_.make_object<MacroObject>(*this, node.caller, scope_);
  arguments.named.emplace_back(node.caller.name, Value(std::shared_ptr<Object>(caller)));
  context_.set_place(last.offset);
  print(output_, method ? call_method_of(subject, method->name, arguments) : call(subject, arguments));
  return Flow::normal;
}

Flow Evaluator::operator()(const ast::Transparent& node) { return execute(node.body); }
Flow Evaluator::operator()(const ast::Break&) { return Flow::leave; }
Flow Evaluator::operator()(const ast::Continue&) { return Flow::next; }

Text Evaluator::capture(const ast::Block& block, std::shared_ptr<Scope> scope) {
  TextBuilder captured(context_);
  std::swap(output_, captured);
  scope_.swap(scope);
  execute(block);
  scope_.swap(scope);
  std::swap(output_, captured);
  return captured.take();
}

Value Evaluator::call_macro(const ast::Macro& macro, const std::shared_ptr<Scope>& scope,
                            const Arguments& arguments) {
  if (n_calls_ == kMaxNesting) {
    context_.fail("calls of macros nested deeper than " + std::to_string(kMaxNesting));
  }
  if (arguments.positional.size() > macro.parameters.size()) {
    context_.fail("the macro " + quote(macro.name) + " takes at most " +
                  std::to_string(macro.parameters.size()) + " arguments");
  }
  ++n_calls_;
  const std::shared_ptr<Scope> inner = scope_within(scope);
  bind_parameters(inner, macro, arguments);
  Value result(capture(macro.body, inner));
  --n_calls_;
  return result;
}

/// Sets the parameters in the scope of a call; fallbacks are evaluated there and see the parameters before
/// them.
void Evaluator::bind_parameters(const std::shared_ptr<Scope>& scope, const ast::Macro& macro,
                                const Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    scope->variables.insert_or_assign(macro.parameters[i].name, arguments.positional[i]);
  }
  for (const auto& [name, value] : arguments.named) {
    const auto same = [name = name](const ast::Macro::Parameter& parameter) {
      return parameter.name == name;
    };
    const auto found = std::find_if(macro.parameters.begin(), macro.parameters.end(), same);
    if (found == macro.parameters.end() && name != kCaller) {
      context_.fail("the macro " + quote(macro.name) + " has no parameter " + quote(name));
    }
    scope->variables.insert_or_assign(name, value);
  }
  std::shared_ptr<Scope> caller = std::exchange(scope_, scope);
  for (const ast::Macro::Parameter& parameter : macro.parameters) {
    if (scope->variables.contains(parameter.name)) continue;
    scope->variables.emplace(parameter.name, parameter.fallback ? evaluate(*parameter.fallback)
                                                                : Value::undefined(quote(parameter.name)));
  }
  scope_ = std::move(caller);
}

}  // namespace armature::chat
