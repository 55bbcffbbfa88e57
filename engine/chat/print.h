#pragma once

#include <string>

#include "engine/chat/context.h"

namespace armature::chat {

/// What {{ value }} shows: strings as they are, nothing for undefined, the rest as Python prints it.
void print(TextBuilder& out, const Value& value);
/// The same as a text.
Text to_text(Context& context, const Value& value);

/// The shortest decimal number that reads back as `number`, as Python writes it: 1.0, 1e-05, 1e+16.
std::string float_text(double number);

}  // namespace armature::chat
