#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/mapped_file.h"
#include "gguf/reader.h"

namespace armature::gguf {

/// The file, or all shards of a split file, that make up one model: opened, parsed and joined. Keys are those
/// of the first shard; tensors those of all. Immutable after opening; read by any thread.
class ModelFiles {
 public:
  /// Opens `path`; of a split model the first shard ("NAME-00001-of-0000N.gguf"), and the rest beside it by
  /// name. Throws Error: io, any of parse(), bad_split, duplicate_tensor (across shards).
  static ModelFiles open(const std::string& path, Access access);
  /// A model in memory that the caller keeps alive, e.g. one linked into the program. `name` is used in
  /// errors.
  static ModelFiles from_memory(std::span<const std::byte> bytes, std::string_view name);

  const Metadata& metadata() const { return files_.front().metadata; }
  /// Values of keys in place of the file's, in turn; see Metadata::replace(). Returns warnings: a line for
  /// each key that the file does not have. Throws Error bad_argument for a key that says how the file is laid
  /// out.
  std::vector<std::string> replace_keys(std::span<const KeyOverride> values);
  const std::vector<File>& files() const { return files_; }
  /// The file that holds a tensor found by find_tensor().
  struct Found {
    const TensorInfo* tensor;
    const File* file;
  };
  std::optional<Found> find_tensor(std::string_view name) const;
  std::size_t n_tensors() const;
  std::uint64_t total_bytes() const;  // of all shards
  bool is_mapped() const;

  void check_unchanged() const;           // see MappedFile
  std::vector<std::string> lock() const;  // warnings, empty if all is locked

  /// An Error whose place is a tensor: its file, the offset of its table entry and "tensor 12 'name'".
  Error error(ErrorCode code, const Found& at, std::string_view problem) const;

 private:
  struct Entry {
    std::uint32_t file, tensor;
  };
  void add(MappedFile map);
  void join();
  std::string_view name_of(Entry entry) const;
  Found found(Entry entry) const;

  std::vector<MappedFile> maps_;  // one per file; empty for from_memory
  std::vector<File> files_;
  std::vector<Entry> order_;  // all tensors, by name
};

}  // namespace armature::gguf
