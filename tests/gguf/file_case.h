#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gguf/error.h"
#include "tests/support/tiny_model.h"

namespace armature::test {

/// An input of the reader and what it must do with it. What is accepted is the good file but for the change,
/// and gives its answers, unless it is no whole model.
struct FileCase {
  std::string id;
  Bytes file;
  std::vector<ErrorCode> codes;     // any of these; empty: the file is accepted
  std::vector<std::string> says;    // parts of the message
  std::optional<std::uint64_t> at;  // offset that the error names
  std::string model_says = {};      // part of the error of loading what is accepted but is no whole model
};

/// Checks the outcome of parse(), the form of the error, that the simple reader agrees, and that `armature
/// run` does the same.
void check(const FileCase& file_case);
void check_all(const std::vector<FileCase>& cases);

/// Checks that parse() and the simple reader agree on a file, and on every key and tensor if they accept it;
/// that an error names a place in the file; and that parse() stays below its bound on memory. Returns the
/// code, or nothing if the file was accepted.
std::optional<ErrorCode> check_agreement(const Bytes& file);

/// The file with a number written over the bytes at an offset.
template <class T>
Bytes patched(Bytes file, std::uint64_t offset, T value) {
  const Bytes raw = to_bytes(value);
  std::copy(raw.begin(), raw.end(), file.begin() + static_cast<std::ptrdiff_t>(offset));
  return file;
}
inline Bytes cut(Bytes file, std::uint64_t size) {
  file.resize(size);
  return file;
}
/// Where a field of a good file lies: item "header", "key 3" or "tensor 5"; part as in SimpleFile::Field.
std::uint64_t offset_of(const Bytes& file, const std::string& item, const std::string& part);

}  // namespace armature::test
