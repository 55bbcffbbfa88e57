#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/metadata.h"
#include "gguf/types.h"

namespace armature::gguf {

/// Builds a GGUF file in memory, or all of it but the data: for tests and for tools that make models. Keys
/// and tensors come out in the order in which they were added; nothing is checked, so that tests can build
/// broken files too.
class Writer {
 public:
  explicit Writer(std::uint32_t version = 3, std::uint64_t alignment = 32)
      : version_(version), alignment_(alignment) {}

  void add(std::string_view key, bool value);
  void add(std::string_view key, std::uint32_t value);
  void add(std::string_view key, std::int32_t value);
  void add(std::string_view key, std::uint64_t value);
  void add(std::string_view key, float value);
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, const char* value) { add(key, std::string_view(value)); }
  void add(std::string_view key, std::span<const std::string> values);
  void add(std::string_view key, std::span<const float> values);
  void add(std::string_view key, std::span<const std::int32_t> values);
  void add(std::string_view key, std::span<const std::uint32_t> values);
  /// A value given as bytes: for types without an overload, and for broken ones.
  void add_raw(std::string_view key, std::uint32_t value_type, std::span<const std::byte> value);

  /// shape outermost first. The bytes are copied.
  void add_tensor(std::string_view name, std::vector<std::uint64_t> shape, TensorType type,
                  std::span<const std::byte> data);
  /// A tensor of which only the size of its data is known yet: for files that are written with head().
  void declare_tensor(std::string_view name, std::vector<std::uint64_t> shape, TensorType type,
                      std::uint64_t size);

  /// What stands before the data: header, keys, table, padding. The data of each tensor follows, in order,
  /// with zeros up to aligned(its size).
  std::vector<std::byte> head() const;
  /// `size` rounded up to the alignment.
  std::uint64_t aligned(std::uint64_t size) const;
  /// The file: header, keys, table, padding, data with each tensor at a multiple of the alignment; of a
  /// declared tensor nothing.
  std::vector<std::byte> bytes() const;

 private:
  struct Tensor {
    std::string name;
    std::vector<std::uint64_t> shape;
    std::uint32_t type;
    std::uint64_t size;
    std::vector<std::byte> data;
  };
  void begin(std::string_view key, std::uint32_t value_type);

  std::uint32_t version_;
  std::uint64_t alignment_;
  std::uint64_t n_keys_ = 0;
  std::vector<std::byte> keys_;
  std::vector<Tensor> tensors_;
};

}  // namespace armature::gguf
