#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/error.h"

namespace armature::gguf {

/// Value types of keys, by their number in the file.
enum class ValueType : std::uint32_t {
  U8 = 0,
  I8 = 1,
  U16 = 2,
  I16 = 3,
  U32 = 4,
  I32 = 5,
  F32 = 6,
  Bool = 7,
  String = 8,
  Array = 9,
  U64 = 10,
  I64 = 11,
  F64 = 12,
};
std::string_view name_of(ValueType type);  // "u32", "string", ...
std::size_t scalar_size(ValueType type);   // bytes; 0 for String and Array

struct KeyOverride;

/// One key-value of a file. Key and value are views into the parsed bytes; nothing is copied.
struct KeyValue {
  static constexpr std::uint64_t kNotInFile = ~std::uint64_t{0};  // the offset of a value that the user gave

  std::string_view key;
  const std::byte* value;  // first byte of the value; of a string or array: of its bytes or elements
  std::uint64_t offset;  // of the value field, from the start of the file; of a string or array: of its head
  std::uint64_t count;   // elements of an array, bytes of a string, else 1
  ValueType type;
  ValueType element;  // of an array, else the type itself

  std::uint64_t type_offset() const { return offset - 4; }
  std::uint64_t key_offset() const { return type_offset() - key.size(); }  // of the first letter
};

/// An array of strings, walked from the front: strings vary in length, so element i is found by passing i
/// others.
class StringArray {
 public:
  StringArray(const std::byte* first, std::uint64_t count) : first_(first), count_(count) {}
  std::uint64_t size() const { return count_; }
  class Iterator {
   public:
    explicit Iterator(const std::byte* at, std::uint64_t left) : at_(at), left_(left) {}
    std::string_view operator*() const;
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return left_ != other.left_; }

   private:
    const std::byte* at_;
    std::uint64_t left_;
  };
  Iterator begin() const { return Iterator(first_, count_); }
  Iterator end() const { return Iterator(nullptr, 0); }

 private:
  const std::byte* first_;
  std::uint64_t count_;
};

/// The keys of one file, in file order, with look-up by name. Immutable; read by any thread. Views are valid
/// as long as the parsed bytes are. The look-up is a sorted index, not a hash: no choice of names makes it
/// slow.
///
/// find_*: absent -> nullopt; present with a wrong type -> Error wrong_key_type; an integer that does not fit
/// the wanted range -> Error bad_value. require_*: as find_*, but absent -> Error missing_key. Integers may
/// be stored in any width and signedness; floats as F32 or F64.
class Metadata {
 public:
  Metadata() = default;
  /// Error duplicate_key, for the first key in file order whose name was there before.
  Metadata(std::string file, std::vector<KeyValue> keys);

  const std::string& file() const { return file_; }
  std::span<const KeyValue> keys() const { return keys_; }
  const KeyValue* find(std::string_view key) const;
  /// Sets a key to the user's value, adding the key if the file has none. Views of the old value stay valid.
  void replace(KeyOverride value);

  std::optional<std::uint64_t> find_uint(std::string_view key, std::uint64_t low, std::uint64_t high) const;
  std::uint64_t require_uint(std::string_view key, std::uint64_t low, std::uint64_t high) const;
  std::optional<double> find_float(
      std::string_view key) const;  // may be NaN or infinite: callers check the range
  double require_float(std::string_view key) const;
  std::optional<bool> find_bool(std::string_view key) const;
  std::optional<std::string_view> find_string(std::string_view key) const;
  std::string_view require_string(std::string_view key) const;

  std::optional<StringArray> find_strings(std::string_view key) const;
  StringArray require_strings(std::string_view key) const;
  /// Arrays of numbers, copied out. Integers of any width.
  std::optional<std::vector<std::int64_t>> find_ints(std::string_view key) const;
  std::optional<std::vector<float>> find_floats(std::string_view key) const;  // F32 or F64 elements
  std::optional<std::vector<bool>> find_bools(std::string_view key) const;

  /// The place of a key in words: "key 7 'llama.block_count'".
  static std::string item(std::size_t index, std::string_view key);
  /// An Error whose place is this key: file, offset of its value and "key 7 'name'" when the key is there,
  /// else file and "key 'name'".
  Error error(ErrorCode code, std::string_view key, std::string_view problem) const;

 private:
  Error wrong_type(const KeyValue& at, std::string_view wanted) const;
  Error error_at(ErrorCode code, const KeyValue& at, std::uint64_t offset, std::string_view problem) const;
  const KeyValue& require(std::string_view key) const;
  const KeyValue* find_array(std::string_view key, std::string_view wanted) const;

  std::string file_;
  std::vector<KeyValue> keys_;
  std::vector<std::uint32_t> order_;                          // indices of keys_, by name
  std::vector<std::shared_ptr<const KeyOverride>> replaced_;  // what the views of replaced keys point into
};

}  // namespace armature::gguf
