#include <algorithm>
#include <array>

#include "engine/chat/builtins.h"
#include "engine/chat/print.h"
#include "engine/chat/strftime.h"
#include "engine/chat/text_functions.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

// As much of the text of raise_exception() as a message shows.
constexpr std::size_t kShownBytes = 1000;

Value range(Context& context, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"start", "stop", "step"}, 1);
  std::array<std::int64_t, 3> parts = {0, 0, 1};
  const std::size_t n_given = bound[1].is_undefined() ? 1 : 3;
  for (std::size_t i = 0; i < n_given && !bound[i].is_undefined(); ++i) {
    parts[n_given == 1 ? 1 : i] = require_integer(context, bound[i], "a part of a range");
  }
  const auto [start, stop, step] = parts;
  if (step == 0) context.fail("the step of a range is zero");
  std::vector<Value> items;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop;) {
    context.step();
    items.emplace_back(i);
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  return context.list(std::move(items));
}

Value make_dict(Context& context, const Arguments& arguments) {
  std::vector<Dict::Entry> entries;
  if (arguments.positional.size() > 1) context.fail("at most one argument without a name is taken");
  if (!arguments.positional.empty()) {
    const Dict* from = arguments.positional[0].as_dict();
    if (!from) context.fail("a dict is wanted, not " + describe(arguments.positional[0]));
    entries = from->entries();
  }
  for (const auto& [name, value] : arguments.named) {
    entries.emplace_back(Value(Text(name, Text::Origin::written)), value);
  }
  return context.dict(std::move(entries));
}

Value make_namespace(Context& context, const Arguments& arguments) {
  const Value initial = make_dict(context, arguments);
  const auto made = context.make_object<Namespace>();
  for (const auto& [key, value] : initial.as_dict()->entries())
    made->set(require_text(context, key, "the name of an attribute").bytes(), value);
  return Value(std::shared_ptr<Object>(made));
}

Value raise_exception(Context& context, const Arguments& arguments) {
  const Text text = to_text(context, bind(context, arguments, {"message"}, 1)[0]);
  context.fail("the template refuses: " + quote(text.bytes(), kShownBytes));
}

Value strftime_now(Context& context, const Arguments& arguments) {
  const Value bound = bind(context, arguments, {"format"}, 1)[0];
  const Text& format = require_text(context, bound, "a format of time");
  context.charge(16 * format.size());
  std::tm now{};
  if (context.inputs().now) {
    now = *context.inputs().now;
  } else {
    const std::time_t seconds = std::time(nullptr);
    localtime_r(&seconds, &now);
  }
  const std::optional<std::string> text = format_time(format.bytes(), now);
  if (!text) context.fail("a format of time that is not supported: " + quote(format.bytes()));
  TextBuilder result(context);
  result.append(format.derived(*text));
  return result.value();
}

struct Row {
  std::string_view name;
  Function function;
};

constexpr Row kFunctions[] = {
    {"dict", make_dict}, {"namespace", make_namespace},  {"raise_exception", raise_exception},
    {"range", range},    {"strftime_now", strftime_now},
};

}  // namespace

Function find_function(std::string_view name) {
  for (const Row& row : kFunctions) {
    if (row.name == name) return row.function;
  }
  return nullptr;
}

Value Namespace::attribute(std::string_view name) const {
  const auto found = attributes_.find(std::string(name));
  return found == attributes_.end() ? Value() : found->second;
}

void Namespace::set(std::string_view name, Value value) {
  attributes_.insert_or_assign(std::string(name), std::move(value));
}

}  // namespace armature::chat
