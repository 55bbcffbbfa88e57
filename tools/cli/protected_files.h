#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

/// Files that the program must not replace, known by device and inode: whatever name leads to them counts.
/// Process-wide state for the main thread.
namespace armature::tools {

/// For the rest of the program; without a file of that name nothing. `why` is part of a message: "the model
/// in use".
void protect_file(const std::string& path, std::string_view why);

/// Why the file must not be replaced; empty where it may be.
std::string_view protection(const struct stat& file);

}  // namespace armature::tools
