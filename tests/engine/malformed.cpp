#include "tests/engine/malformed.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/model.h"
#include "tests/support/model_run.h"

namespace armature::test {

Change set_u32(const char* key, std::uint32_t value) {
  return [=](TinyModel& m) { m.set(key, value); };
}

Change set_f32(const char* key, float value) {
  return [=](TinyModel& m) { m.set(key, value); };
}

Change erase(const char* key) {
  return [=](TinyModel& m) { m.erase_key(key); };
}

Change erase_tensor(const char* name) {
  return [=](TinyModel& m) { m.erase_tensor(name); };
}

Change reshape(const char* name, std::vector<std::uint64_t> shape) {
  return retype(name, std::move(shape), gguf::TensorType::F32);
}

Change retype(const char* name, std::vector<std::uint64_t> shape, gguf::TensorType type) {
  return [=](TinyModel& m) {
    std::uint64_t rows = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= shape[i];
    m.set_tensor(name, shape, type, Bytes(rows * gguf::row_bytes(type, shape.back())));
  };
}

void expect_refused(const TinyModel& changed, const Bad& bad) {
  SCOPED_TRACE(bad.id);
  const Bytes file = changed.bytes();
  try {
    Model::load(file, "bad.gguf");
    ADD_FAILURE() << "loaded";
  } catch (const Error& e) {
    const std::string line = e.what();
    EXPECT_NE(std::find(bad.codes.begin(), bad.codes.end(), e.code()), bad.codes.end())
        << name_of(e.code()) << ": " << line;
    EXPECT_EQ(line.find("bad.gguf: "), 0u) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
    for (const std::string& text : bad.says) {
      EXPECT_NE(line.find(text), std::string::npos) << line;
    }
    expect_run_refuses(file, e);
  }
}

}  // namespace armature::test
