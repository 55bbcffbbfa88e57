#include "engine/chat/context.h"

#include <algorithm>

#include "gguf/error.h"

namespace armature::chat {
namespace {

// A value takes 24 bytes; a list of all the values that the steps allow is to stay below 100 MiB.
constexpr std::size_t kBytesPerValue = 128;
constexpr std::size_t kBytesPerPiece = 16;

}  // namespace

Context::~Context() {
  for (const auto& object : objects_) object->release();
}

void Context::charge(std::size_t bytes) {
  work_ += bytes;
  if (work_ > kMaxSteps * kBytesPerStep) fail("more than " + std::to_string(kMaxSteps) + " steps");
}

void Context::charge_values(std::size_t n) { charge(n > kMaxSteps * kBytesPerStep ? n : n * kBytesPerValue); }

void Context::check_items(const std::vector<Value>& items) {
  charge_values(items.size());
  for (const Value& item : items) {
    if (item.depth() >= kMaxValueDepth) {
      fail("a value nested deeper than " + std::to_string(kMaxValueDepth));
    }
  }
}

Value Context::list(std::vector<Value> items) {
  check_items(items);
  return Value::list(std::move(items));
}

Value Context::tuple(std::vector<Value> items) {
  check_items(items);
  return Value::tuple(std::move(items));
}

Value Context::sequence(std::vector<Value> items, const List& like) {
  return like.is_tuple() ? tuple(std::move(items)) : list(std::move(items));
}

Value Context::dict(std::vector<Dict::Entry> entries) {
  charge_values(2 * entries.size());
  for (const auto& [key, value] : entries) {
    if (!Dict::can_be_key(key))
      fail("the key of a dict must be a string, an integer or a boolean, not " + describe(key));
    if (const Text* text = key.as_text()) charge(text->size());
    if (value.depth() >= kMaxValueDepth) {
      fail("a value nested deeper than " + std::to_string(kMaxValueDepth));
    }
  }
  return Value::dict(std::move(entries));
}

void TextBuilder::account(std::size_t bytes) {
  context_->charge(bytes + kBytesPerPiece);
  if (bytes > kMaxTextBytes - text_.size()) {
    context_->fail("a text longer than " + std::to_string(kMaxTextBytes >> 20) + " MiB");
  }
}

void TextBuilder::append(const Text& text, ByteRange part) {
  account(part.end - part.begin);
  text_.append(text, part);
}

void TextBuilder::append(std::string_view bytes, Text::Origin origin) {
  account(bytes.size());
  text_.append(bytes, origin);
}

std::vector<Value> bind(const Context& context, const Arguments& arguments,
                        std::initializer_list<std::string_view> names, std::size_t n_required) {
  if (arguments.positional.size() > names.size()) {
    context.fail("at most " + std::to_string(names.size()) + " arguments are taken");
  }
  std::vector<Value> bound = arguments.positional;
  std::size_t n_given = bound.size();
  bound.resize(names.size());
  for (const auto& [name, value] : arguments.named) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) context.fail("there is no argument " + quote(name));
    bound[static_cast<std::size_t>(found - names.begin())] = value;
    ++n_given;
  }
  if (n_given < n_required) {
    context.fail("at least " + std::to_string(n_required) + " arguments are needed");
  }
  return bound;
}

std::string describe(const Value& value) {
  const Value::Undefined* undefined = value.as_undefined();
  if (undefined && undefined->what) return *undefined->what + " (undefined)";
  return std::string(value.kind());
}

}  // namespace armature::chat
