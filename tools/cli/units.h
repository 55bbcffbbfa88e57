#pragma once

#include <cstdint>
#include <string>

/// Numbers as people read them.
namespace armature::tools {

std::string fixed(double value, int digits);  // "1.50"

/// Bytes in units of 1000: "512 B", "27.1 kB", "3.6 MB".
std::string size_text(std::uint64_t bytes);
/// Bytes in units of 1024, as caches and pages are counted: "48 KiB", "1.5 MiB".
std::string binary_size_text(std::uint64_t bytes);
/// "512", "134.5 M", "8.03 B" of things.
std::string count_text(std::uint64_t n);

}  // namespace armature::tools
