#include <cstddef>
#include <cstdint>
#include <span>

#include "tests/support/exercise_gguf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  armature::test::exercise_gguf(std::as_bytes(std::span(data, size)));
  return 0;
}
