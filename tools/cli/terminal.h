#pragma once

#include <cstddef>
#include <string_view>

/// What is known of the terminals behind the standard streams.
namespace armature::tools {

bool is_terminal(int descriptor);

/// Columns of the terminal behind `descriptor`; 80 where it does not say, or is none.
std::size_t terminal_width(int descriptor);

/// Whether a text that moves the cursor may be written: a terminal, and not one that TERM calls dumb.
bool can_redraw(int descriptor);

/// Whether to write colours where --color says "on", "off" or "auto": never for "off", never to anything but
/// a terminal that can_redraw(), never when NO_COLOR is set and not empty (https://no-color.org).
bool colours_wanted(std::string_view choice, int descriptor);

}  // namespace armature::tools
