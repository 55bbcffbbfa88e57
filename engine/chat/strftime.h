#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace armature::chat {

/// `format` with its directives replaced as by the C function of that name in the "C" locale, whatever locale
/// the program has set; "-" after "%" leaves out leading zeros. Nothing for a directive that is not
/// supported.
std::optional<std::string> format_time(std::string_view format, const std::tm& time);

}  // namespace armature::chat
