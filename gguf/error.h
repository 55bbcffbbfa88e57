#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace armature {

/// What kind of fault an Error reports. The names are part of the interface: tools print them, tests compare
/// them.
enum class ErrorCode : std::uint8_t {
  too_short,
  bad_magic,
  bad_version,
  wrong_endian,
  bad_count,
  bad_key,
  duplicate_key,
  bad_value_type,
  bad_bool,
  bad_string,
  bad_array,
  too_deep,
  bad_alignment,
  bad_tensor_name,
  duplicate_tensor,
  bad_rank,
  bad_dimension,
  size_overflow,
  bad_tensor_type,
  bad_row,
  misaligned,
  out_of_file,
  overlap,
  missing_key,
  wrong_key_type,
  bad_value,
  unknown_architecture,
  missing_tensor,
  wrong_shape,
  wrong_tensor_type,
  bad_vocab,
  unknown_tokenizer,
  unknown_pre_tokenizer,
  bad_merges,
  bad_split,
  not_finite,
  bad_template,
  bad_argument,
  prompt_too_long,
  out_of_memory,
  io,
  file_changed,
};

/// The spelling of a code, e.g. "bad_count".
std::string_view name_of(ErrorCode code);

/// Where a fault lies: the file as the user wrote it, the first byte of the wrong field counted from the
/// start of that file, and the key or tensor in words, e.g. "key 7 'llama.block_count'". Each part may be
/// absent.
struct Place {
  std::string file;
  std::optional<std::uint64_t> offset;
  std::string item;
};

/// A fault of the file, the request or the machine. what() is one printable line of the form
///   model.gguf: offset 0x1a4: key 7 'llama.block_count': value 0; at least 1 is needed
/// `problem` says what was found and what is allowed; text from files must already be quoted (see quote()).
class Error : public std::exception {
 public:
  Error(ErrorCode code, Place place, std::string_view problem);
  Error(ErrorCode code, std::string_view problem) : Error(code, Place{}, problem) {}

  ErrorCode code() const noexcept { return code_; }
  const Place& place() const noexcept { return place_; }
  const char* what() const noexcept override { return line_.c_str(); }

 private:
  ErrorCode code_;
  Place place_;
  std::string line_;
};

/// `text` in single quotes, safe for a terminal: cut at `limit` bytes with "...", and every byte that is
/// neither printable ASCII nor part of valid printable UTF-8 shown as \xNN (a backslash as \x5c, so that the
/// result is unambiguous).
std::string quote(std::string_view text, std::size_t limit = 80);

}  // namespace armature
