#include "gguf/model_files.h"

#include <algorithm>
#include <utility>

#include "gguf/compose.h"
#include "gguf/override.h"
#include "gguf/split.h"

namespace armature::gguf {

ModelFiles ModelFiles::open(const std::string& path, Access access) {
  ModelFiles out;
  out.add(MappedFile::open(path, access));
  const std::uint32_t count = shard_count(out.files_.front());
  for (std::uint32_t number = 2; number <= count; ++number) {
    out.add(MappedFile::open(shard_path(*parse_shard_name(path), number), access));
    check_shard(out.files_.back(), number, count);
  }
  out.join();
  return out;
}

ModelFiles ModelFiles::from_memory(std::span<const std::byte> bytes, std::string_view name) {
  ModelFiles out;
  out.files_.push_back(parse(bytes, name));
  if (shard_count(out.files_.front()) > 1)
    throw out.metadata().error(ErrorCode::bad_split, "split.count",
                               "a model in several files cannot be read from memory");
  out.join();
  return out;
}

void ModelFiles::add(MappedFile map) {
  files_.push_back(parse(map.bytes(), map.path()));
  maps_.push_back(std::move(map));
}

std::vector<std::string> ModelFiles::replace_keys(std::span<const KeyOverride> values) {
  std::vector<std::string> warnings;
  for (KeyOverride value : values) {
    if (value.key.starts_with(kArchitecturePrefix)) {
      const std::string_view architecture = metadata().require_string("general.architecture");
      value.key = compose("{}.{}", architecture, value.key.substr(kArchitecturePrefix.size()));
    }
    if (value.key == "general.alignment" || value.key.starts_with("split.")) {
      throw Error(ErrorCode::bad_argument,
                  compose("key {} cannot be overridden: it says how the file is laid out", quote(value.key)));
    }
    if (metadata().find(value.key) == nullptr) {
      warnings.push_back(compose("{}: overridden key {} is not in the file; it is added",
                                 quote(metadata().file()), quote(value.key)));
    }
    files_.front().metadata.replace(std::move(value));
  }
  return warnings;
}

void ModelFiles::join() {
  for (std::uint32_t file = 0; file < files_.size(); ++file)
    for (std::uint32_t tensor = 0; tensor < files_[file].tensors.size(); ++tensor)
      order_.push_back({file, tensor});
  std::sort(order_.begin(), order_.end(), [this](Entry a, Entry b) {
    const int names = name_of(a).compare(name_of(b));
    return names != 0 ? names < 0 : a.file < b.file;
  });
  const auto same = [this](Entry a, Entry b) { return name_of(a) == name_of(b); };
  const auto twice = std::adjacent_find(order_.begin(), order_.end(), same);
  if (twice != order_.end())
    throw error(
        ErrorCode::duplicate_tensor, found(twice[1]),
        compose("also in {}; each may stand once", quote(files_[twice[0].file].name(), std::string::npos)));
  check_tensor_count(files_.front(), n_tensors());
}

std::string_view ModelFiles::name_of(Entry entry) const {
  return files_[entry.file].tensors[entry.tensor].name;
}

ModelFiles::Found ModelFiles::found(Entry entry) const {
  const File& file = files_[entry.file];
  return {&file.tensors[entry.tensor], &file};
}

std::optional<ModelFiles::Found> ModelFiles::find_tensor(std::string_view name) const {
  const auto at = std::lower_bound(order_.begin(), order_.end(), name,
                                   [this](Entry entry, std::string_view n) { return name_of(entry) < n; });
  if (at == order_.end() || name_of(*at) != name) return std::nullopt;
  return found(*at);
}

std::size_t ModelFiles::n_tensors() const { return order_.size(); }

std::uint64_t ModelFiles::total_bytes() const {
  std::uint64_t total = 0;
  for (const File& file : files_) total += file.size;
  return total;
}

bool ModelFiles::is_mapped() const { return !maps_.empty() && maps_.front().is_mapped(); }

void ModelFiles::check_unchanged() const {
  for (const MappedFile& map : maps_) map.check_unchanged();
}

std::vector<std::string> ModelFiles::lock() const {
  std::vector<std::string> warnings;
  for (const MappedFile& map : maps_)
    if (std::string warning = map.lock(); !warning.empty()) warnings.push_back(std::move(warning));
  return warnings;
}

Error ModelFiles::error(ErrorCode code, const Found& at, std::string_view problem) const {
  const auto index = static_cast<std::size_t>(at.tensor - at.file->tensors.data());
  return Error(
      code, {at.file->name(), at.tensor->info_offset, compose("tensor {} {}", index, quote(at.tensor->name))},
      problem);
}

}  // namespace armature::gguf
