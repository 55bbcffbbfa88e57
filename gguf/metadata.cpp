#include "gguf/metadata.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "gguf/bytes.h"
#include "gguf/compose.h"
#include "gguf/override.h"

namespace armature::gguf {
namespace {

constexpr std::string_view kTypeNames[] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                           "bool", "string", "array", "u64", "i64", "f64"};

/// An integer of any type of the format. `bits` is the two's complement of a negative one.
struct Integer {
  std::uint64_t bits;
  bool is_negative;

  template <class T>
  static Integer of(T value) {
    return {static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), value < 0};
  }
  static Integer of(std::uint64_t value) { return {value, false}; }
  std::string text() const {
    return is_negative ? compose("{}", static_cast<std::int64_t>(bits)) : compose("{}", bits);
  }
};

bool is_integer(ValueType type) {
  return scalar_size(type) > 0 && type != ValueType::F32 && type != ValueType::F64 && type != ValueType::Bool;
}

std::optional<Integer> load_integer(ValueType type, const std::byte* at) {
  switch (type) {
    case ValueType::U8:
      return Integer::of(load<std::uint8_t>(at));
    case ValueType::I8:
      return Integer::of(load<std::int8_t>(at));
    case ValueType::U16:
      return Integer::of(load<std::uint16_t>(at));
    case ValueType::I16:
      return Integer::of(load<std::int16_t>(at));
    case ValueType::U32:
      return Integer::of(load<std::uint32_t>(at));
    case ValueType::I32:
      return Integer::of(load<std::int32_t>(at));
    case ValueType::U64:
      return Integer::of(load<std::uint64_t>(at));
    case ValueType::I64:
      return Integer::of(load<std::int64_t>(at));
    default:
      return std::nullopt;
  }
}

std::optional<double> load_float(ValueType type, const std::byte* at) {
  if (type == ValueType::F32) return load<float>(at);
  if (type == ValueType::F64) return load<double>(at);
  return std::nullopt;
}

std::string type_text(const KeyValue& at) {
  if (at.type != ValueType::Array) return std::string(name_of(at.type));
  return compose("array of {}", name_of(at.element));
}

std::string range_text(std::uint64_t low, std::uint64_t high) {
  if (high == std::numeric_limits<std::uint64_t>::max()) return compose("at least {} is needed", low);
  return compose("{} to {} is allowed", low, high);
}

}  // namespace

std::string_view name_of(ValueType type) {
  const auto number = static_cast<std::size_t>(type);
  assert(number < std::size(kTypeNames));
  return kTypeNames[number];
}

std::size_t scalar_size(ValueType type) {
  constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  const auto number = static_cast<std::size_t>(type);
  assert(number < std::size(kSizes));
  return kSizes[number];
}

std::string_view StringArray::Iterator::operator*() const {
  return as_text(at_ + sizeof(std::uint64_t), load<std::uint64_t>(at_));
}

StringArray::Iterator& StringArray::Iterator::operator++() {
  at_ += sizeof(std::uint64_t) + load<std::uint64_t>(at_);
  --left_;
  return *this;
}

Metadata::Metadata(std::string file, std::vector<KeyValue> keys)
    : file_(std::move(file)), keys_(std::move(keys)), order_(keys_.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const int names = keys_[a].key.compare(keys_[b].key);
    return names != 0 ? names < 0 : a < b;
  });
  const auto same = [this](std::uint32_t a, std::uint32_t b) { return keys_[a].key == keys_[b].key; };
  const std::uint32_t* first = nullptr;  // of the pair whose second is the earliest in the file
  for (auto at = order_.begin(); (at = std::adjacent_find(at, order_.end(), same)) != order_.end(); ++at)
    if (first == nullptr || at[1] < first[1]) first = &*at;
  if (first == nullptr) return;
  const KeyValue& second = keys_[first[1]];
  throw error_at(ErrorCode::duplicate_key, second, second.key_offset(),
                 compose("the same key as key {}; each may stand once", first[0]));
}

const KeyValue* Metadata::find(std::string_view key) const {
  const auto at =
      std::lower_bound(order_.begin(), order_.end(), key,
                       [this](std::uint32_t i, std::string_view name) { return keys_[i].key < name; });
  return at != order_.end() && keys_[*at].key == key ? &keys_[*at] : nullptr;
}

void Metadata::replace(KeyOverride value) {
  replaced_.push_back(std::make_shared<const KeyOverride>(std::move(value)));
  const KeyOverride& own = *replaced_.back();
  const KeyValue kv = {
      own.key,  own.value.data(), KeyValue::kNotInFile, own.type == ValueType::String ? own.value.size() : 1,
      own.type, own.type};
  const auto at =
      std::lower_bound(order_.begin(), order_.end(), own.key,
                       [this](std::uint32_t i, std::string_view name) { return keys_[i].key < name; });
  if (at != order_.end() && keys_[*at].key == own.key) {
    keys_[*at] = kv;
  } else {
    order_.insert(at, static_cast<std::uint32_t>(keys_.size()));
    keys_.push_back(kv);
  }
}

const KeyValue& Metadata::require(std::string_view key) const {
  const KeyValue* at = find(key);
  if (at == nullptr) throw error(ErrorCode::missing_key, key, "missing; the model cannot be used without it");
  return *at;
}

std::optional<std::uint64_t> Metadata::find_uint(std::string_view key, std::uint64_t low,
                                                 std::uint64_t high) const {
  const KeyValue* at = find(key);
  if (at == nullptr) return std::nullopt;
  const auto value = load_integer(at->type, at->value);
  if (!value) throw wrong_type(*at, "an integer");
  if (value->is_negative || value->bits < low || value->bits > high)
    throw error(ErrorCode::bad_value, key, compose("value {}; {}", value->text(), range_text(low, high)));
  return value->bits;
}

std::uint64_t Metadata::require_uint(std::string_view key, std::uint64_t low, std::uint64_t high) const {
  require(key);
  return *find_uint(key, low, high);
}

std::optional<double> Metadata::find_float(std::string_view key) const {
  const KeyValue* at = find(key);
  if (at == nullptr) return std::nullopt;
  const auto value = load_float(at->type, at->value);
  if (!value) throw wrong_type(*at, "f32 or f64");
  return value;
}

double Metadata::require_float(std::string_view key) const {
  require(key);
  return *find_float(key);
}

std::optional<bool> Metadata::find_bool(std::string_view key) const {
  const KeyValue* at = find(key);
  if (at == nullptr) return std::nullopt;
  if (at->type != ValueType::Bool) throw wrong_type(*at, "bool");
  return load<std::uint8_t>(at->value) != 0;
}

std::optional<std::string_view> Metadata::find_string(std::string_view key) const {
  const KeyValue* at = find(key);
  if (at == nullptr) return std::nullopt;
  if (at->type != ValueType::String) throw wrong_type(*at, "string");
  return as_text(at->value, at->count);
}

std::string_view Metadata::require_string(std::string_view key) const {
  require(key);
  return *find_string(key);
}

const KeyValue* Metadata::find_array(std::string_view key, std::string_view wanted) const {
  const KeyValue* at = find(key);
  if (at != nullptr && at->type != ValueType::Array) throw wrong_type(*at, wanted);
  return at;
}

std::optional<StringArray> Metadata::find_strings(std::string_view key) const {
  constexpr std::string_view kWanted = "array of string";
  const KeyValue* at = find_array(key, kWanted);
  if (at == nullptr) return std::nullopt;
  if (at->element != ValueType::String) throw wrong_type(*at, kWanted);
  return StringArray(at->value, at->count);
}

StringArray Metadata::require_strings(std::string_view key) const {
  require(key);
  return *find_strings(key);
}

std::optional<std::vector<std::int64_t>> Metadata::find_ints(std::string_view key) const {
  constexpr std::string_view kWanted = "array of integers";
  const KeyValue* at = find_array(key, kWanted);
  if (at == nullptr) return std::nullopt;
  if (!is_integer(at->element)) throw wrong_type(*at, kWanted);
  const std::size_t size = scalar_size(at->element);
  std::vector<std::int64_t> out(at->count);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Integer value = *load_integer(at->element, at->value + i * size);
    out[i] = static_cast<std::int64_t>(value.bits);
    if (out[i] < 0 && !value.is_negative)
      throw error(ErrorCode::bad_value, key,
                  compose("element {}: value {}; at most 2^63 - 1 is allowed", i, value.text()));
  }
  return out;
}

std::optional<std::vector<float>> Metadata::find_floats(std::string_view key) const {
  constexpr std::string_view kWanted = "array of f32 or f64";
  const KeyValue* at = find_array(key, kWanted);
  if (at == nullptr) return std::nullopt;
  if (at->element != ValueType::F32 && at->element != ValueType::F64) throw wrong_type(*at, kWanted);
  const std::size_t size = scalar_size(at->element);
  std::vector<float> out(at->count);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float>(*load_float(at->element, at->value + i * size));
  return out;
}

std::optional<std::vector<bool>> Metadata::find_bools(std::string_view key) const {
  constexpr std::string_view kWanted = "array of bool";
  const KeyValue* at = find_array(key, kWanted);
  if (at == nullptr) return std::nullopt;
  if (at->element != ValueType::Bool) throw wrong_type(*at, kWanted);
  std::vector<bool> out(at->count);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = load<std::uint8_t>(at->value + i) != 0;
  return out;
}

std::string Metadata::item(std::size_t index, std::string_view key) {
  return compose("key {} {}", index, quote(key));
}

Error Metadata::error(ErrorCode code, std::string_view key, std::string_view problem) const {
  const KeyValue* at = find(key);
  if (at == nullptr) return Error(code, {file_, std::nullopt, "key " + quote(key)}, problem);
  return error_at(code, *at, at->offset, problem);
}

Error Metadata::error_at(ErrorCode code, const KeyValue& at, std::uint64_t offset,
                         std::string_view problem) const {
  if (at.offset == KeyValue::kNotInFile)
    return Error(code, {file_, std::nullopt, compose("overridden key {}", quote(at.key))}, problem);
  const auto index = static_cast<std::size_t>(&at - keys_.data());
  return Error(code, {file_, offset, item(index, at.key)}, problem);
}

Error Metadata::wrong_type(const KeyValue& at, std::string_view wanted) const {
  return error_at(ErrorCode::wrong_key_type, at, at.type_offset(),
                  compose("type {}; {} is needed", type_text(at), wanted));
}

}  // namespace armature::gguf
