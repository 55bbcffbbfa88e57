#pragma once

#include <cstdint>
#include <string_view>

#include "engine/chat/context.h"

namespace armature::chat {

// What filters and methods do with strings. Every byte of a result keeps its origin; see Text.

enum class Side { both, left, right };

/// Without the characters of `set`, or white space when it is undefined or none, at the given ends.
Value strip(Context& context, const Text& text, Side side, const Value& set);

/// The parts between the separators; white space in runs when `separator` is undefined or none, and then no
/// part is empty. At most `n_splits` cuts, from the left or the right end; -1 for all.
Value split(Context& context, const Text& text, const Value& separator, std::int64_t n_splits, Side from);
Value split_lines(Context& context, const Text& text);

/// The first `count` places of `old_part` replaced; -1 for all.
Value replace(Context& context, const Text& text, const Text& old_part, const Text& new_part,
              std::int64_t count);
Value join(Context& context, const Value& items, const Text& separator);

/// `title`: a capital after each byte that is no letter; `words`: after white space and opening brackets.
enum class Case { upper, lower, capital, title, words };
/// Changes ASCII letters only; others stay as they are.
Value change_case(Context& context, const Text& text, Case to);

/// Fails with the kind of `value` when it is no string.
const Text& require_text(const Context& context, const Value& value, std::string_view what);
std::int64_t require_integer(const Context& context, const Value& value, std::string_view what);

}  // namespace armature::chat
