#include "tests/support/exercise_gguf.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gguf/model_files.h"

namespace armature::test {
namespace {

// Ends the process rather than throwing, so that a fuzzer sees it.
void require(bool condition) {
  if (!condition) std::abort();
}

template <class Call>
void expect_value_or_error(Call call) {
  try {
    call();
  } catch (const Error& error) {
    require(error.code() == ErrorCode::wrong_key_type || error.code() == ErrorCode::bad_value);
    require(!std::string_view(error.what()).empty());
  }
}

/// Asks for a key as each type in turn: one of them is right, the others must be refused.
void read_as_every_type(const gguf::Metadata& metadata, std::string_view key) {
  expect_value_or_error([&] { metadata.require_uint(key, 0, 100); });
  expect_value_or_error([&] { metadata.require_float(key); });
  expect_value_or_error([&] { metadata.find_bool(key); });
  expect_value_or_error([&] { quote(metadata.require_string(key)); });
  expect_value_or_error([&] { metadata.find_ints(key); });
  expect_value_or_error([&] { metadata.find_floats(key); });
  expect_value_or_error([&] { metadata.find_bools(key); });
  expect_value_or_error([&] {
    for (std::string_view text : metadata.require_strings(key)) quote(text, 8);
  });
}

void touch_data(const gguf::TensorInfo& tensor, const gguf::File& file, std::span<const std::byte> bytes) {
  require(tensor.size > 0 && tensor.offset % file.alignment == file.data_start % file.alignment);
  require(tensor.data == bytes.data() + tensor.offset);
  require(tensor.offset >= file.data_start && tensor.size <= file.size - tensor.offset);
  [[maybe_unused]] const volatile std::byte first = tensor.data[0];
  [[maybe_unused]] const volatile std::byte last = tensor.data[tensor.size - 1];
  require(tensor.rows() > 0 && tensor.size % tensor.rows() == 0);
}

}  // namespace

bool exercise_gguf(std::span<const std::byte> bytes) {
  try {
    const auto model = gguf::ModelFiles::from_memory(bytes, "input.gguf");
    const gguf::File& file = model.files().front();
    for (const gguf::KeyValue& key : file.metadata.keys()) {
      require(file.metadata.find(key.key) == &key);
      read_as_every_type(file.metadata, key.key);
    }
    for (const gguf::TensorInfo& tensor : file.tensors) {
      touch_data(tensor, file, bytes);
      require(model.find_tensor(tensor.name)->tensor == &tensor);
    }
    return true;
  } catch (const Error& error) {
    require(error.place().offset.value_or(0) <= bytes.size());
    return false;
  }
}

}  // namespace armature::test
