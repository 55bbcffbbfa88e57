#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gguf/reader.h"

namespace armature::gguf {

/// The name of a shard, "PREFIX-00001-of-00003.gguf", taken apart. Numbers are from 1 on.
struct ShardName {
  std::string prefix;
  std::uint32_t number;
  std::uint32_t count;
};

/// Nothing if the path does not have the form of a shard's name.
std::optional<ShardName> parse_shard_name(std::string_view path);
/// The path of another shard of the same model.
std::string shard_path(const ShardName& name, std::uint32_t number);

/// How many files the model has whose first file this is: split.count, 1 if it is absent or 0. More than one
/// only if the file's name and split.no say that it is the first; else Error bad_split.
std::uint32_t shard_count(const File& first);
/// Error bad_split unless the keys of shard `number` (from 1 on) fit a model of `count` shards.
void check_shard(const File& shard, std::uint32_t number, std::uint32_t count);
/// Error bad_split if the first shard says that the model has another number of tensors.
void check_tensor_count(const File& first, std::uint64_t n_tensors);

}  // namespace armature::gguf
