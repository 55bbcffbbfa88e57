#pragma once

#include <string_view>

#include "engine/chat/context.h"

namespace armature::chat {

using Filter = Value (*)(Context& context, const Value& subject, const Arguments& arguments);
using Test = bool (*)(Context& context, const Value& subject, const Arguments& arguments);
using Function = Value (*)(Context& context, const Arguments& arguments);

// All fail when there is none of that name.
Filter require_filter(const Context& context, std::string_view name);
Test require_test(const Context& context, std::string_view name);

/// Null when there is none of that name.
Function find_function(std::string_view name);

/// Calls a method of a string or dict.
Value call_method(Context& context, const Value& subject, std::string_view name, const Arguments& arguments);

/// A function as a value.
class FunctionObject : public Callable {
 public:
  explicit FunctionObject(Function function) : function_(function) {}

  std::string_view kind() const override { return "a function"; }
  Value call(Context& context, const Arguments& arguments) override { return function_(context, arguments); }

 private:
  Function function_;
};

/// What namespace() makes: the one thing whose attributes a template can set.
class Namespace : public Object {
 public:
  std::string_view kind() const override { return "a namespace"; }
  Value attribute(std::string_view name) const override;
  void set(std::string_view name, Value value);
  void release() override { attributes_.clear(); }

 private:
  std::unordered_map<std::string, Value> attributes_;
};

}  // namespace armature::chat
