#include "gguf/split.h"

#include <algorithm>
#include <charconv>

#include "gguf/compose.h"

namespace armature::gguf {
namespace {

constexpr std::string_view kCountKey = "split.count";
constexpr std::string_view kNumberKey = "split.no";
constexpr std::string_view kTensorsKey = "split.tensors.count";
constexpr std::uint64_t kMostShards = 65535;  // the key is a u16
constexpr std::size_t kDigits = 5;
constexpr std::string_view kOf = "-of-", kEnd = ".gguf";

/// As Metadata::find_uint, but any fault is bad_split.
std::optional<std::uint64_t> find_split_uint(const Metadata& metadata, std::string_view key,
                                             std::uint64_t high) {
  try {
    return metadata.find_uint(key, 0, high);
  } catch (const Error&) {
    throw metadata.error(ErrorCode::bad_split, key, compose("an integer from 0 to {} is needed", high));
  }
}

void require_split_uint(const Metadata& metadata, std::string_view key, std::uint64_t wanted) {
  const auto value = find_split_uint(metadata, key, kMostShards);
  if (!value) throw metadata.error(ErrorCode::bad_split, key, compose("missing; {} is needed", wanted));
  if (*value != wanted)
    throw metadata.error(ErrorCode::bad_split, key, compose("value {}; {} is needed", *value, wanted));
}

std::optional<std::uint32_t> parse_digits(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string five_digits(std::uint32_t number) {
  const std::string digits = compose("{}", number);
  return std::string(kDigits - std::min(kDigits, digits.size()), '0') + digits;
}

}  // namespace

std::optional<ShardName> parse_shard_name(std::string_view path) {
  constexpr std::size_t kTail = 1 + kDigits + kOf.size() + kDigits + kEnd.size();
  if (path.size() <= kTail) return std::nullopt;
  const std::string_view tail = path.substr(path.size() - kTail);
  const bool has_form = tail.front() == '-' && tail.substr(1 + kDigits, kOf.size()) == kOf &&
                        tail.substr(kTail - kEnd.size()) == kEnd;
  if (!has_form) return std::nullopt;
  const auto number = parse_digits(tail.substr(1, kDigits));
  const auto count = parse_digits(tail.substr(1 + kDigits + kOf.size(), kDigits));
  if (!number || !count || *number < 1 || *number > *count) return std::nullopt;
  return ShardName{std::string(path.substr(0, path.size() - kTail)), *number, *count};
}

std::string shard_path(const ShardName& name, std::uint32_t number) {
  return compose("{}-{}-of-{}.gguf", name.prefix, five_digits(number), five_digits(name.count));
}

std::uint32_t shard_count(const File& first) {
  const Metadata& metadata = first.metadata;
  const std::uint64_t count = find_split_uint(metadata, kCountKey, kMostShards).value_or(1);
  if (count <= 1) return 1;
  const auto name = parse_shard_name(first.name());
  if (!name)
    throw metadata.error(ErrorCode::bad_split, kCountKey,
                         compose("a model in {} files, but the name of this one does not end in "
                                 "-00001-of-{}.gguf, so the others cannot be found",
                                 count, five_digits(static_cast<std::uint32_t>(count))));
  if (name->count != count)
    throw metadata.error(ErrorCode::bad_split, kCountKey,
                         compose("value {}; the name of the file says {}", count, name->count));
  if (name->number != 1)
    throw metadata.error(ErrorCode::bad_split, kNumberKey,
                         compose("this is file {} of {}; give the first: {}", name->number, count,
                                 quote(shard_path(*name, 1), std::string::npos)));
  require_split_uint(metadata, kNumberKey, 0);
  return static_cast<std::uint32_t>(count);
}

void check_shard(const File& shard, std::uint32_t number, std::uint32_t count) {
  require_split_uint(shard.metadata, kCountKey, count);
  require_split_uint(shard.metadata, kNumberKey, number - 1);
}

void check_tensor_count(const File& first, std::uint64_t n_tensors) {
  constexpr std::uint64_t kAny = ~std::uint64_t{0};
  const auto stated = find_split_uint(first.metadata, kTensorsKey, kAny);
  if (stated && *stated != n_tensors)
    throw first.metadata.error(
        ErrorCode::bad_split, kTensorsKey,
        compose("value {}; the files of the model have {} tensors", *stated, n_tensors));
}

}  // namespace armature::gguf
