#pragma once

#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/byte_range.h"
#include "engine/chat/value.h"

namespace armature::chat {

/// One turn of a conversation, in UTF-8. Templates see it as a dict with the keys `role` and `content`.
struct Message {
  std::string role;
  std::string content;
};

/// Everything a template can see. What is absent is undefined in the template, but `tools` and `documents`,
/// which are none unless given as variables.
struct RenderInputs {
  std::span<const Message> messages;
  std::optional<bool> add_generation_prompt;
  std::optional<std::string> bos_token;
  std::optional<std::string> eos_token;
  /// More variables by name; they win over the ones above.
  std::map<std::string, Value, std::less<>> variables;
  /// What strftime_now() shows; the machine's local time when absent.
  std::optional<std::tm> now;
};

struct Rendered {
  std::string text;
  /// The parts of `text` that come from the inputs, in order, neither overlapping nor touching: control
  /// tokens must not be recognised there. bos_token, eos_token and the usual roles (system, user, assistant,
  /// tool, developer) count as written by the template, since templates make control tokens of them.
  std::vector<ByteRange> literal;
};

/// A chat template in the Jinja language, as model files hold it in `tokenizer.chat_template`, read the way
/// model publishers render it: trim_blocks and lstrip_blocks on, no escaping for HTML, loop controls.
/// A template sees nothing but its inputs. Immutable; may be rendered from many threads at once.
class Template {
 public:
  /// `name` stands in front of every message, e.g. "chat template". Throws Error bad_template with line and
  /// column (counted in characters from 1) for what is not UTF-8, not in the language or nested deeper
  /// than 64.
  static Template parse(std::string_view source, std::string_view name = "chat template");

  /// Throws Error bad_template with line and column for faults of the template: an operation that its values
  /// do not have, raise_exception(), more than 10^6 steps, any text longer than 4 MiB.
  Rendered render(const RenderInputs& inputs) const;

 private:
  struct Parsed;
  explicit Template(std::shared_ptr<const Parsed> parsed) : parsed_(std::move(parsed)) {}

  std::shared_ptr<const Parsed> parsed_;
};

}  // namespace armature::chat
