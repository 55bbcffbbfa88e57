#include "gguf/writer.h"

#include <utility>

namespace armature::gguf {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void put(Bytes& out, T value) {
  const auto raw = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), raw.begin(), raw.end());
}

void put_string(Bytes& out, std::string_view text) {
  put<std::uint64_t>(out, text.size());
  const auto raw = std::as_bytes(std::span(text));
  out.insert(out.end(), raw.begin(), raw.end());
}

template <class T>
void put_array(Bytes& out, ValueType element, std::span<const T> values) {
  put(out, element);
  put<std::uint64_t>(out, values.size());
  const auto raw = std::as_bytes(values);
  out.insert(out.end(), raw.begin(), raw.end());
}

std::uint64_t padding(std::uint64_t size, std::uint64_t alignment) {
  return (alignment - size % alignment) % alignment;
}

}  // namespace

void Writer::begin(std::string_view key, std::uint32_t value_type) {
  put_string(keys_, key);
  put(keys_, value_type);
  ++n_keys_;
}

void Writer::add(std::string_view key, bool value) {
  begin(key, static_cast<std::uint32_t>(ValueType::Bool));
  put(keys_, static_cast<std::uint8_t>(value ? 1 : 0));
}

void Writer::add(std::string_view key, std::uint32_t value) {
  begin(key, static_cast<std::uint32_t>(ValueType::U32));
  put(keys_, value);
}

void Writer::add(std::string_view key, std::int32_t value) {
  begin(key, static_cast<std::uint32_t>(ValueType::I32));
  put(keys_, value);
}

void Writer::add(std::string_view key, std::uint64_t value) {
  begin(key, static_cast<std::uint32_t>(ValueType::U64));
  put(keys_, value);
}

void Writer::add(std::string_view key, float value) {
  begin(key, static_cast<std::uint32_t>(ValueType::F32));
  put(keys_, value);
}

void Writer::add(std::string_view key, std::string_view value) {
  begin(key, static_cast<std::uint32_t>(ValueType::String));
  put_string(keys_, value);
}

void Writer::add(std::string_view key, std::span<const std::string> values) {
  begin(key, static_cast<std::uint32_t>(ValueType::Array));
  put(keys_, ValueType::String);
  put<std::uint64_t>(keys_, values.size());
  for (const std::string& value : values) put_string(keys_, value);
}

void Writer::add(std::string_view key, std::span<const float> values) {
  begin(key, static_cast<std::uint32_t>(ValueType::Array));
  put_array(keys_, ValueType::F32, values);
}

void Writer::add(std::string_view key, std::span<const std::int32_t> values) {
  begin(key, static_cast<std::uint32_t>(ValueType::Array));
  put_array(keys_, ValueType::I32, values);
}

void Writer::add(std::string_view key, std::span<const std::uint32_t> values) {
  begin(key, static_cast<std::uint32_t>(ValueType::Array));
  put_array(keys_, ValueType::U32, values);
}

void Writer::add_raw(std::string_view key, std::uint32_t value_type, std::span<const std::byte> value) {
  begin(key, value_type);
  keys_.insert(keys_.end(), value.begin(), value.end());
}

void Writer::add_tensor(std::string_view name, std::vector<std::uint64_t> shape, TensorType type,
                        std::span<const std::byte> data) {
  declare_tensor(name, std::move(shape), type, data.size());
  tensors_.back().data.assign(data.begin(), data.end());
}

void Writer::declare_tensor(std::string_view name, std::vector<std::uint64_t> shape, TensorType type,
                            std::uint64_t size) {
  tensors_.push_back({std::string(name), std::move(shape), static_cast<std::uint32_t>(type), size, {}});
}

std::uint64_t Writer::aligned(std::uint64_t size) const { return size + padding(size, alignment_); }

std::vector<std::byte> Writer::head() const {
  Bytes out;
  put<std::uint32_t>(out, 0x46554747);  // "GGUF"
  put(out, version_);
  put<std::uint64_t>(out, tensors_.size());
  put(out, n_keys_);
  out.insert(out.end(), keys_.begin(), keys_.end());

  std::uint64_t offset = 0;
  for (const Tensor& tensor : tensors_) {
    put_string(out, tensor.name);
    put(out, static_cast<std::uint32_t>(tensor.shape.size()));
    for (std::size_t i = tensor.shape.size(); i-- > 0;) put(out, tensor.shape[i]);
    put(out, tensor.type);
    put(out, offset);
    offset += aligned(tensor.size);
  }
  out.resize(aligned(out.size()));
  return out;
}

std::vector<std::byte> Writer::bytes() const {
  Bytes out = head();
  for (const Tensor& tensor : tensors_) {
    out.insert(out.end(), tensor.data.begin(), tensor.data.end());
    out.resize(aligned(out.size()));
  }
  return out;
}

}  // namespace armature::gguf
