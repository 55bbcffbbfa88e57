#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/chat/source.h"
#include "engine/chat/template.h"
#include "engine/chat/value.h"

namespace armature::chat {

inline constexpr std::uint64_t kMaxSteps = 1'000'000;
/// Longest text that may be made anywhere, the result included.
inline constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;

/// What one rendering shares: its inputs, its limits, the place it has come to and the objects it has made.
class Context {
 public:
  Context(const Source& source, const RenderInputs& inputs) : source_(source), inputs_(inputs) {}
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const RenderInputs& inputs() const { return inputs_; }

  /// The place that errors name, a byte of the source.
  void set_place(std::size_t offset) { place_ = offset; }
  std::size_t place() const { return place_; }
  [[noreturn]] void fail(std::string_view problem) const { source_.fail(place_, problem); }

  /// Counts one step of the template.
  void step() { charge(kBytesPerStep); }
  /// Counts work that goes over `bytes` bytes, before it is done; 256 bytes are a step.
  void charge(std::size_t bytes);
  /// The same for `n` values that are visited or copied.
  void charge_values(std::size_t n);

  /// Like the functions of Value, with the limits and the place of this rendering.
  Value list(std::vector<Value> items);
  Value tuple(std::vector<Value> items);
  /// A list or a tuple, as `like` is.
  Value sequence(std::vector<Value> items, const List& like);
  Value dict(std::vector<Dict::Entry> entries);

  /// Objects may hold each other in circles; they are released together when the rendering ends.
  template <class T, class... Args>
  std::shared_ptr<T> make_object(Args&&... args) {
    auto object = std::make_shared<T>(std::forward<Args>(args)...);
    objects_.push_back(object);
    return object;
  }

 private:
  static constexpr std::uint64_t kBytesPerStep = 256;
  void check_items(const std::vector<Value>& items);

  const Source& source_;
  const RenderInputs& inputs_;
  std::size_t place_ = 0;
  std::uint64_t work_ = 0;  // in bytes
  std::vector<std::shared_ptr<Object>> objects_;
};

/// Makes a text piece by piece within the limits of a rendering.
class TextBuilder {
 public:
  explicit TextBuilder(Context& context) : context_(&context) {}

  Context& context() const { return *context_; }
  void append(const Text& text) { append(text, {0, text.size()}); }
  void append(const Text& text, ByteRange part);
  void append(std::string_view bytes, Text::Origin origin = Text::Origin::written);
  Text take() { return std::move(text_); }
  Value value() { return Value(take()); }

 private:
  void account(std::size_t bytes);

  Context* context_;
  Text text_;
};

/// The values of a call, in the order and with the names in which they were given.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> named;
};

/// One value for each of `names`, undefined where none was given. Fails when there are fewer than
/// `n_required`, too many, or one with a name that is not in the list.
std::vector<Value> bind(const Context& context, const Arguments& arguments,
                        std::initializer_list<std::string_view> names, std::size_t n_required = 0);

/// A function or macro.
class Callable : public Object {
 public:
  virtual Value call(Context& context, const Arguments& arguments) = 0;
};

/// What a template gives for an argument that it leaves out.
inline bool is_absent(const Value& value) { return value.is_undefined() || value.is_none(); }

/// A value in words for messages: what it was looked up as when it is undefined, else its kind.
std::string describe(const Value& value);

}  // namespace armature::chat
