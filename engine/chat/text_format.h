#pragma once

#include "engine/chat/context.h"

namespace armature::chat {

// Values put into a text at marked places. Both fail for a mark of another form and for a place without a
// value.

/// Python's format(): `{}` takes the next positional argument, `{0}` one by its number, `{name}` one by its
/// name; `{{` and `}}` are braces. What is left over is not used.
Value format_braces(Context& context, const Text& format, const Arguments& arguments);

/// Python's % operator: `%s` takes the next positional argument, `%d` an integer, `%(name)s` one by its name;
/// `%%` is a per cent sign. Fails also when positional arguments are left over, unless there are named ones.
Value format_percent(Context& context, const Text& format, const Arguments& arguments);

}  // namespace armature::chat
