#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>

#include "engine/chat/ast.h"
#include "engine/chat/builtins.h"
#include "engine/chat/context.h"

namespace armature::chat {

/// The variables of a loop's turn, a macro's call or, at the bottom, the template.
struct Scope {
  std::shared_ptr<Scope> parent;                          // null at the bottom
  std::unordered_map<std::string_view, Value> variables;  // names are in the tree or the inputs
};

/// Walks the tree of a template. Used for one rendering.
class Evaluator {
 public:
  Evaluator(Context& context, std::shared_ptr<Scope> globals)
      : context_(context), scope_(std::move(globals)), output_(context) {}

  /// The text that a template writes.
  Text render(const ast::Block& block);

  Value call_macro(const ast::Macro& macro, const std::shared_ptr<Scope>& scope, const Arguments& arguments);

  // One for each kind of expression; see ast.h.
  Value operator()(const ast::Literal& node);
  Value operator()(const ast::Name& node);
  Value operator()(const ast::ListDisplay& node);
  Value operator()(const ast::DictDisplay& node);
  Value operator()(const ast::Not& node);
  Value operator()(const ast::Sign& node);
  Value operator()(const ast::Arithmetic& node);
  Value operator()(const ast::Comparison& node);
  Value operator()(const ast::Concatenation& node);
  Value operator()(const ast::Logic& node);
  Value operator()(const ast::Conditional& node);
  Value operator()(const ast::Postfix& node);

  /// How a statement ended: `leave` and `next` are on their way to the innermost loop.
  enum class Flow { normal, leave, next };

  // One for each kind of statement.
  Flow operator()(const ast::Data& node);
  Flow operator()(const ast::Output& node);
  Flow operator()(const ast::If& node);
  Flow operator()(const ast::For& node);
  Flow operator()(const ast::Set& node);
  Flow operator()(const ast::SetBlock& node);
  Flow operator()(const ast::Macro& node);
  Flow operator()(const ast::FilterBlock& node);
  Flow operator()(const ast::With& node);
  Flow operator()(const ast::CallBlock& node);
  Flow operator()(const ast::Transparent& node);
  Flow operator()(const ast::Break& node);
  Flow operator()(const ast::Continue& node);

 private:
  Value evaluate(const ast::Expression& expression);
  /// Undefined for null.
  Value evaluate_optional(const ast::ExpressionPtr& expression);
  Arguments evaluate_arguments(const ast::Arguments& arguments);
  Value follow(const ast::Link& link, const Value& subject);
  Value call(const Value& callee, const Arguments& arguments);
  Value call_method_of(const Value& subject, std::string_view name, const Arguments& arguments);

  Flow execute(const ast::Block& block);
  /// The text that a block writes, with `scope` in place of the current one.
  Text capture(const ast::Block& block, std::shared_ptr<Scope> scope);
  Value loop_items(const ast::For& node);
  void bind_targets(Scope& scope, const std::vector<std::string>& targets, const Value& value);
  void bind_parameters(const std::shared_ptr<Scope>& scope, const ast::Macro& macro,
                       const Arguments& arguments);
  void assign(const ast::Target& target, Value value);

  Context& context_;
  std::shared_ptr<Scope> scope_;
  TextBuilder output_;
  std::size_t depth_ = 0;    // of nested evaluations
  std::size_t n_calls_ = 0;  // macros that are running
};

}  // namespace armature::chat
