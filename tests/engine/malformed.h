#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gguf/error.h"
#include "tests/support/tiny_model.h"

/// Models with one fault, and what the error must say.
namespace armature::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

using Change = std::function<void(TinyModel&)>;

struct Bad {
  const char* id;
  Change change;
  std::vector<ErrorCode> codes;   // any of these
  std::vector<std::string> says;  // each must be in the message
  TinyConfig config = {};
};

Change set_u32(const char* key, std::uint32_t value);
Change set_f32(const char* key, float value);
Change erase(const char* key);
Change erase_tensor(const char* name);
/// The tensor, there or not, as zeros of this shape (outermost first).
Change reshape(const char* name, std::vector<std::uint64_t> shape);
Change retype(const char* name, std::vector<std::uint64_t> shape, gguf::TensorType type);

/// Fails unless loading the changed model throws one of the codes, in one line that names the file and says
/// what it must, and `armature run` fails with the same line.
void expect_refused(const TinyModel& changed, const Bad& bad);

}  // namespace armature::test
