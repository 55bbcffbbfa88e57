#include "gguf/read_keys.h"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace armature::gguf {
namespace {

constexpr std::uint64_t kLongestKey = 65535;  // the format's text
constexpr std::size_t kDeepestArray = 4;      // files in use have 1
constexpr std::uint64_t kStringHead = 8;      // length
constexpr std::uint64_t kArrayHead = 4 + 8;   // element type, count

std::string_view read_key(Cursor& in) {
  const std::uint64_t at = in.offset();
  const auto length = in.read<std::uint64_t>("the length of the key");
  if (length == 0) throw in.error(ErrorCode::bad_key, at, "empty key; 1 to 65535 bytes are allowed");
  if (length > kLongestKey) {
    in.set_item_name(as_text(in.here(), std::min(length, in.left())));
    throw in.error(
        ErrorCode::bad_key, at,
        compose("a key of {} bytes with {} left; 1 to {} are allowed", length, in.left(), kLongestKey));
  }
  in.need(length, "the key");
  const std::uint64_t name_at = in.offset();
  const std::string_view key = in.take(length);
  in.set_item_name(key);
  const auto bad = std::find_if(key.begin(), key.end(), [](char c) { return c < '!' || c > '~'; });
  if (bad != key.end())
    throw in.error(ErrorCode::bad_key, name_at,
                   compose("byte {} at place {} of the key; printable ASCII without spaces is allowed",
                           hex(static_cast<unsigned char>(*bad)), bad - key.begin()));
  return key;
}

ValueType read_type(Cursor& in, std::string_view what) {
  const std::uint64_t at = in.offset();
  const auto type = in.read<std::uint32_t>(what);
  if (type > static_cast<std::uint32_t>(ValueType::F64))
    throw in.error(ErrorCode::bad_value_type, at, compose("{} is {}; 0 to 12 is allowed", what, type));
  return static_cast<ValueType>(type);
}

/// " of element 3", or nothing for a value that stands alone.
std::string of_element(const std::uint64_t* element) {
  return element == nullptr ? std::string() : compose(" of element {}", *element);
}

/// Passes a string and returns it. A length that the whole file could not hold is wrong; a smaller one means
/// that the file was cut.
std::string_view read_string(Cursor& in, const std::uint64_t* element) {
  const std::uint64_t at = in.offset();
  if (in.left() < kStringHead) in.need(kStringHead, "the length of the string" + of_element(element));
  const auto length = in.read<std::uint64_t>("the length of the string");
  if (length > in.left()) {
    const ErrorCode code = length >= in.size() ? ErrorCode::bad_string : ErrorCode::too_short;
    throw in.error(code, at,
                   compose("the string{} has {} bytes; {} are left", of_element(element), length, in.left()));
  }
  return in.take(length);
}

void check_bool(const Cursor& in, std::uint64_t at, std::byte value, const std::uint64_t* element) {
  if (value > std::byte{1})
    throw in.error(ErrorCode::bad_bool, at,
                   compose("the bool{} is {}; 0 or 1 is allowed", of_element(element),
                           std::to_integer<unsigned>(value)));
}

struct ArrayHead {
  ValueType element;
  std::uint64_t count;
};

/// Reads the head of an array and checks that its elements can be there.
ArrayHead read_array_head(Cursor& in) {
  const ValueType element = read_type(in, "the element type of the array");
  const std::uint64_t count_at = in.offset();
  const auto count = in.read<std::uint64_t>("the count of the array");
  const std::uint64_t smallest = element == ValueType::String  ? kStringHead
                                 : element == ValueType::Array ? kArrayHead
                                                               : scalar_size(element);
  if (count > in.left() / smallest)
    throw in.error(ErrorCode::bad_array, count_at,
                   compose("an array of {} {}, of {} bytes or more each; {} bytes are left", count,
                           name_of(element), smallest, in.left()));
  return {element, count};
}

/// Passes the elements of an array whose elements are not arrays.
void pass_flat_array(Cursor& in, const ArrayHead& array) {
  if (array.element == ValueType::String) {
    for (std::uint64_t i = 0; i < array.count; ++i) read_string(in, &i);
    return;
  }
  if (array.element == ValueType::Bool)
    for (std::uint64_t i = 0; i < array.count; ++i) check_bool(in, in.offset() + i, in.here()[i], &i);
  in.skip(array.count * scalar_size(array.element));  // fits: read_array_head() has compared it
}

/// Passes the elements of an array, nested or not, without recursion: `left` counts, per level of nesting,
/// the arrays still to come.
void pass_array(Cursor& in, const ArrayHead& outermost) {
  if (outermost.element != ValueType::Array) return pass_flat_array(in, outermost);
  std::array<std::uint64_t, kDeepestArray> left{};
  std::size_t depth = 1;  // of the array whose elements are being passed
  left[0] = outermost.count;
  while (depth > 0) {
    if (left[depth - 1] == 0) {
      --depth;
      continue;
    }
    --left[depth - 1];
    const std::uint64_t at = in.offset();
    if (depth == kDeepestArray)
      throw in.error(ErrorCode::too_deep, at, compose("arrays nested deeper than {}", kDeepestArray));
    const ArrayHead inner = read_array_head(in);
    if (inner.element == ValueType::Array)
      left[depth++] = inner.count;
    else
      pass_flat_array(in, inner);
  }
}

KeyValue read_key_value(Cursor& in) {
  KeyValue out{};
  out.key = read_key(in);
  out.type = out.element = read_type(in, "the value type");
  out.offset = in.offset();
  out.count = 1;
  if (out.type == ValueType::String) {
    const std::string_view text = read_string(in, nullptr);
    out.value = reinterpret_cast<const std::byte*>(text.data());
    out.count = text.size();
  } else if (out.type == ValueType::Array) {
    const ArrayHead head = read_array_head(in);
    out.element = head.element;
    out.count = head.count;
    out.value = in.here();
    pass_array(in, head);
  } else {
    in.need(scalar_size(out.type), "the value");
    out.value = in.here();
    if (out.type == ValueType::Bool) check_bool(in, in.offset(), *out.value, nullptr);
    in.skip(scalar_size(out.type));
  }
  return out;
}

/// Passes up to n key-values and tells how many were good; what ended it early is in `fault`.
std::uint64_t pass_keys(Cursor& in, std::uint64_t n, std::exception_ptr& fault) {
  std::uint64_t n_good = 0;
  try {
    for (; n_good < n; ++n_good) {
      in.set_item("key", n_good);
      read_key_value(in);
    }
  } catch (const Error&) {
    fault = std::current_exception();
  }
  return n_good;
}

}  // namespace

// Two walks: the first finds out how many keys there are, so that the second reserves just that much. The
// count in the header is no more than a claim, and growing step by step would allocate twice the memory in
// sum. A duplicate among the keys before a faulty one is reported first, as it stands first in the file.
Metadata read_keys(Cursor& in, std::uint64_t n, std::string_view file) {
  std::exception_ptr fault;
  Cursor again = in;
  std::vector<KeyValue> keys(pass_keys(in, n, fault));
  for (KeyValue& key : keys) key = read_key_value(again);
  Metadata metadata(std::string(file), std::move(keys));
  if (fault) std::rethrow_exception(fault);
  return metadata;
}

}  // namespace armature::gguf
