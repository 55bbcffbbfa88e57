#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tools/chat/conversation.h"

namespace armature::tools {

/// One line of JSON, with its end. `number`: of the answer, from 1.
std::string to_json_line(const Turn& turn, std::size_t number);
/// The same for a message that could not be answered.
std::string error_json_line(std::string_view error, std::size_t number);

/// One line for people: why it ended, tokens, rates.
std::string to_line(const Turn& turn);

}  // namespace armature::tools
