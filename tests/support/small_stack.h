#pragma once

#include <cstddef>
#include <functional>

namespace armature::test {

/// Runs `work` in a thread that has a stack of so many bytes: the program ends with SIGSEGV where that is not
/// enough. What `work` throws is thrown.
void run_on_stack(std::size_t bytes, const std::function<void()>& work);

}  // namespace armature::test
