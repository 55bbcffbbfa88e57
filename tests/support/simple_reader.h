#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace armature::test {

/// A second GGUF reader, written from the format's text alone and for clarity only: it reads byte by byte,
/// copies everything and compares everything with everything. gguf::parse() must agree with it on every
/// input. It also notes where each field lies, so that tests can change one.
struct SimpleFile {
  struct Field {
    std::string item;  // "header", "key 3" or "tensor 5"
    std::string part;  // "length", "name", "type", "value", "n_dims", "dim 0", "offset", ...
    std::uint64_t offset;
    std::uint64_t size;
    bool is_text;  // else a number
  };
  struct Key {
    std::string name;
    std::uint32_t type;
    std::uint32_t element;       // of an array, else the type
    std::uint64_t count;         // elements of an array, bytes of a string, else 1
    std::uint64_t value_offset;  // of the value field
    std::uint64_t first_offset;  // of its first element or letter
  };
  struct Tensor {
    std::string name;
    std::vector<std::uint64_t> shape;  // outermost first
    std::uint32_t type;
    std::uint64_t offset, size;  // in the file
  };

  std::vector<Field> fields;  // in file order, as far as the file could be read
  std::vector<Key> keys;
  std::vector<Tensor> tensors;
  std::uint64_t alignment = 32;
  std::uint64_t metadata_size = 0;  // up to the end of the tensor table
  std::string refusal;              // why the file is refused; empty if it is accepted

  bool accepted() const { return refusal.empty(); }
  /// The field with this item and part; it must be there.
  const Field& field(const std::string& item, const std::string& part) const;
};

SimpleFile simple_read(std::span<const std::byte> bytes);

}  // namespace armature::test
