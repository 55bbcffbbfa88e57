#pragma once

#include <sys/stat.h>

#include <string>

/// Files that the program must not replace, known by device and inode: whatever name leads to them counts.
/// Process-wide state for the main thread.
namespace armature::tools {

/// For the rest of the program; without a file of that name nothing.
void protect_file(const std::string& path);

bool is_protected(const struct stat& file);

}  // namespace armature::tools
