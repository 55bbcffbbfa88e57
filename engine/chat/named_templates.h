#pragma once

#include <span>
#include <string_view>

namespace armature::chat {

/// A chat format that is known by a name.
struct NamedTemplate {
  std::string_view name;
  std::string_view text;  // in the template language
};

/// By name. The names are those that llama.cpp gives its formats, and the formats those that the publishers'
/// own templates write for plain conversations: texts of the roles system, user and assistant.
std::span<const NamedTemplate> named_templates();

/// Null when there is none of that name.
const NamedTemplate* find_named_template(std::string_view name);

}  // namespace armature::chat
