#pragma once

#include <optional>

#include "engine/chat/ast.h"
#include "engine/chat/context.h"

namespace armature::chat {

// The operators of the template language, with Python's meaning. All fail with the kinds of the operands
// where these do not fit.

/// True is 1 and false is 0; lists, tuples and dicts by contents; objects by identity.
bool equal(Context& context, const Value& a, const Value& b);
/// Negative, zero or positive; numbers, strings by their characters, lists item by item. Nothing for NaN.
std::optional<int> order(Context& context, const Value& a, const Value& b);
/// A part of a string, an item of a list, a key of a dict; nothing is in undefined.
bool contains(Context& context, const Value& container, const Value& item);
bool compare(Context& context, ast::Operator op, const Value& a, const Value& b);
Value arithmetic(Context& context, ast::Operator op, const Value& a, const Value& b);
Value negate(Context& context, const Value& value);

/// A bool as 0 or 1, or an integer; nothing for others.
std::optional<std::int64_t> to_integer(const Value& value);
std::optional<double> to_number(const Value& value);

// Attributes and items. What is missing is undefined; looking into undefined fails.
Value attribute_of(Context& context, const Value& value, std::string_view name);
Value item_of(Context& context, const Value& value, const Value& key);
/// value[start:stop:step] of a list or, counted in characters, a string; an undefined part is left out.
Value slice_of(Context& context, const Value& value, const Value& start, const Value& stop,
               const Value& step);

/// What a loop over `value` walks, as a list: items, keys, characters; nothing for undefined.
Value elements_of(Context& context, const Value& value);
std::int64_t length_of(Context& context, const Value& value);

}  // namespace armature::chat
