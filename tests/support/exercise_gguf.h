#pragma once

#include <cstddef>
#include <span>

namespace armature::test {

/// Parses arbitrary bytes and, if they are accepted, touches all that the result points to: every key by its
/// name and type, every tensor's first and last byte. Errors of the library are expected; anything else is a
/// fault. Returns whether the bytes were accepted.
bool exercise_gguf(std::span<const std::byte> bytes);

}  // namespace armature::test
