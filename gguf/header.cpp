#include "gguf/header.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

namespace armature::gguf {
namespace {

using std::string_view_literals::operator""sv;

// The fewest bytes that an entry can have: length, one letter, type and a value of one byte; length, one
// letter, n_dims, type and offset (dimensions are not counted).
constexpr std::uint64_t kSmallestKey = 8 + 1 + 4 + 1;
constexpr std::uint64_t kSmallestTensor = 8 + 1 + 4 + 4 + 8;
// Indices of entries are kept in 32 bits.
constexpr std::uint64_t kMostEntries = std::numeric_limits<std::uint32_t>::max();
// Well above the largest counts in use, some thousands of tensors.
constexpr std::uint64_t kOrdinaryCount = 1 << 16;

constexpr std::uint64_t kTensorCountAt = 8, kKeyCountAt = 16;

struct Lookalike {
  std::string_view start;
  std::string_view kind;
};
constexpr Lookalike kLookalikes[] = {
    {"GGML"sv, "a file of an older format (GGML); it must be converted anew from the original model"},
    {"lmgg"sv, "a file of an older format (GGML); it must be converted anew from the original model"},
    {"fmgg"sv, "a file of an older format (GGMF); it must be converted anew from the original model"},
    {"tjgg"sv, "a file of an older format (GGJT); it must be converted anew from the original model"},
    {"algg"sv, "a file of an older format (GGLA, an adapter)"},
    {"\xef\xbb\xbf"sv, "text with a byte order mark, or a model that a text editor has changed"},
    {"PK\x03\x04"sv, "a zip archive, perhaps a PyTorch model"},
    {"\x1f\x8b"sv, "gzip data"},
    {"\x28\xb5\x2f\xfd"sv, "zstd data"},
    {"\177ELF"sv, "a program"},
    {"version https://git-lfs"sv, "a Git LFS pointer; the file itself must be fetched"},
    {"<"sv, "a web page or XML, perhaps an error page saved as a file"},
};

// safetensors: u64 length of a JSON object, then the object.
bool is_safetensors(std::string_view start) { return start.size() > 8 && start[8] == '{'; }

bool is_text(std::string_view start) {
  return std::all_of(start.begin(), start.end(), [](char c) {
    return (c >= ' ' && c != '\x7f') || c == '\n' || c == '\r' || c == '\t' || (c & '\x80') != 0;
  });
}

/// What a file that starts like this seems to be, or empty.
std::string_view lookalike(std::string_view start) {
  for (const Lookalike& known : kLookalikes)
    if (start.substr(0, known.start.size()) == known.start) return known.kind;
  if (is_safetensors(start)) return "a safetensors file; it must be converted";
  if (is_text(start)) return "a text file";
  if (start.find_first_not_of('\0') == std::string_view::npos) return "zeros, perhaps an unfinished download";
  return {};
}

void check_magic(const Cursor& in) {
  if (in.size() == 0) throw in.error(ErrorCode::too_short, 0, "empty file");
  in.need(4, "the magic \"GGUF\"");
  const std::string_view start = as_text(in.here(), std::min<std::uint64_t>(in.size(), 64));
  const std::string_view magic = start.substr(0, 4);
  if (magic == "GGUF") return;
  if (magic == "FUGG")
    throw in.error(ErrorCode::wrong_endian, 0,
                   "the magic is reversed: a file of the other byte order; little-endian is needed");
  std::string problem = compose("not GGUF: the file starts with {}", quote(magic));
  if (const std::string_view kind = lookalike(start); !kind.empty())
    problem += compose("; it looks like {}", kind);
  throw in.error(ErrorCode::bad_magic, 0, problem);
}

void check_version(const Cursor& in, std::uint64_t at, std::uint32_t version) {
  if (version == 2 || version == 3) return;
  if (version != 0 && (version & 0xffff) == 0)
    throw in.error(
        ErrorCode::wrong_endian, at,
        compose("version {}: a file of the other byte order; little-endian is needed", hex(version)));
  throw in.error(ErrorCode::bad_version, at, compose("version {} is not supported; 2 and 3 are", version));
}

/// A count that the file has no room for is wrong, unless it is an ordinary one: then the file was cut, and
/// the error should be that of the place where it ends. Nothing is reserved by a count, so believing it is
/// free.
void check_count(const Cursor& in, std::uint64_t at, std::uint64_t count, std::uint64_t smallest,
                 std::string_view what) {
  const std::uint64_t most = std::min(in.left() / smallest, kMostEntries);
  if (count > std::max(most, kOrdinaryCount))
    throw in.error(
        ErrorCode::bad_count, at,
        compose("{} {}; the {} bytes left have room for {} at most", count, what, in.left(), most));
}

}  // namespace

Header read_header(Cursor& in) {
  Header header{};
  check_magic(in);
  in.skip(4);
  const std::uint64_t version_at = in.offset();
  header.version = in.read<std::uint32_t>("the version");
  check_version(in, version_at, header.version);
  header.n_tensors = in.read<std::uint64_t>("the number of tensors");
  header.n_keys = in.read<std::uint64_t>("the number of keys");
  check_count(in, kTensorCountAt, header.n_tensors, kSmallestTensor, "tensors");
  check_count(in, kKeyCountAt, header.n_keys, kSmallestKey, "keys");
  return header;
}

}  // namespace armature::gguf
