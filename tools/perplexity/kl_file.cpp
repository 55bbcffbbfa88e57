#include "tools/perplexity/kl_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/perplexity/packed_row.h"

namespace armature::tools::perplexity {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

constexpr std::string_view kMagic = "_logits_";
constexpr std::uint32_t kMaxChunk = 1u << 24;   // as of any context
constexpr std::uint32_t kMaxNumber = 1u << 31;  // numbers are signed elsewhere

}  // namespace

void KlFileWriter::write_head(const Chunks& chunks, std::size_t n_vocab) {
  const std::array<std::uint32_t, 3> numbers = {static_cast<std::uint32_t>(chunks.n_ctx),
                                                static_cast<std::uint32_t>(n_vocab),
                                                static_cast<std::uint32_t>(chunks.size())};
  out_.write(std::as_bytes(std::span(kMagic)));
  out_.write(std::as_bytes(std::span(numbers)));
  out_.write(std::as_bytes(std::span(chunks.tokens)));
}

KlFileReader::KlFileReader(const std::string& path) : in_(path) {
  std::array<char, kMagic.size()> magic;
  read(magic.data(), magic.size(), "magic");
  if (std::string_view(magic.data(), magic.size()) != kMagic) {
    throw Error(ErrorCode::bad_magic, {name(), 0, {}},
                compose("found {}; files of --kl-divergence-base begin with {}",
                        quote({magic.data(), magic.size()}), quote(kMagic)));
  }
  chunks_.n_ctx = read_number("tokens of a chunk");
  if (chunks_.n_ctx < kMinChunk || chunks_.n_ctx > kMaxChunk) {
    throw Error(ErrorCode::bad_value, {name(), offset_ - 4, "tokens of a chunk"},
                compose("{}; {} to {} are allowed", chunks_.n_ctx, kMinChunk, kMaxChunk));
  }
  n_vocab_ = read_number("size of the vocabulary");
  packed_row_bytes_ = packed_row_bytes(n_vocab_);
  const std::uint32_t n_chunks = read_number("number of chunks");
  check_size(path, n_chunks);  // before as many tokens are believed
  read_tokens(n_chunks);
}

void KlFileReader::read(void* out, std::size_t n, const char* what) {
  std::size_t done = 0;
  while (done < n) {
    const std::size_t got = in_.read(static_cast<char*>(out) + done, n - done);
    if (got == 0) {
      throw Error(ErrorCode::too_short, {name(), offset_ + done, what},
                  compose("the file ends; {} more bytes are needed", n - done));
    }
    done += got;
  }
  offset_ += n;
}

std::uint32_t KlFileReader::read_number(const char* what) {
  std::uint32_t number;
  read(&number, sizeof number, what);
  if (number == 0 || number >= kMaxNumber) {
    throw Error(ErrorCode::bad_count, {name(), offset_ - sizeof number, what},
                compose("{}; 1 to {} are allowed", number, kMaxNumber - 1));
  }
  return number;
}

/// Chunk by chunk, so that a wrong number of chunks takes no more memory than the file has bytes.
void KlFileReader::read_tokens(std::size_t n_chunks) {
  for (std::size_t i = 0; i < n_chunks; ++i) {
    chunks_.tokens.resize((i + 1) * chunks_.n_ctx);
    const std::uint64_t start = offset_;
    TokenId* tokens = chunks_.tokens.data() + i * chunks_.n_ctx;
    read(tokens, chunks_.n_ctx * sizeof(TokenId), "tokens");
    const auto bad = std::find_if(tokens, tokens + chunks_.n_ctx, [this](TokenId token) {
      return static_cast<std::uint32_t>(token) >= n_vocab_;
    });
    if (bad == tokens + chunks_.n_ctx) continue;
    throw Error(ErrorCode::bad_value,
                {name(), start + static_cast<std::uint64_t>(bad - tokens) * sizeof(TokenId), "tokens"},
                compose("token {} is outside the vocabulary; 0 to {} are allowed",
                        static_cast<std::int32_t>(*bad), n_vocab_ - 1));
  }
}

/// Behind the head.
void KlFileReader::check_size(const std::string& path, std::uint64_t n_chunks) const {
  std::error_code fault;
  const bool is_regular = path != "-" && std::filesystem::is_regular_file(path, fault);
  const std::uint64_t size = is_regular ? std::filesystem::file_size(path, fault) : 0;
  if (!is_regular || fault) return;
  const std::uint64_t rows_at = offset_ + n_chunks * chunks_.n_ctx * sizeof(TokenId);
  const std::uint64_t rows = bytes_of_chunk(), most = std::numeric_limits<std::uint64_t>::max() - rows_at;
  const std::uint64_t needed = rows_at + (n_chunks > most / rows ? most : n_chunks * rows);
  if (size == needed) return;
  if (size > needed)
    throw Error(ErrorCode::bad_value, {name(), needed, {}},
                compose("{} bytes behind the last chunk", size - needed));
  throw Error(ErrorCode::too_short, {name(), size, "log-probabilities"},
              compose("the file ends, and {} bytes are needed; of {} chunks it has {}", needed, n_chunks,
                      size < rows_at ? 0 : (size - rows_at) / bytes_of_chunk()));
}

std::span<const std::byte> KlFileReader::read_rows() {
  rows_.resize(bytes_of_chunk());
  const std::uint64_t start = offset_;
  read(rows_.data(), rows_.size(), "log-probabilities");
  for (std::size_t at = 0; at < rows_.size(); at += packed_row_bytes_) {
    const PackedRow row(rows_.data() + at);
    if (row.is_sound(n_vocab_)) continue;
    throw Error(
        ErrorCode::bad_value, {name(), start + at, "log-probabilities"},
        compose("step {} and lowest {}; a step of at least 0 is needed, and a highest log-probability, "
                "65535 steps above the lowest, from -ln {} to 0",
                row.step(), row.lowest(), n_vocab_));
  }
  return rows_;
}

void check_vocabulary(const KlFileReader& file, std::size_t n_vocab) {
  if (file.n_vocab() == n_vocab) return;
  throw Error(ErrorCode::wrong_shape, {file.name(), 12, "size of the vocabulary"},
              compose("{}, but the model's has {} tokens: the file is of another kind of model",
                      file.n_vocab(), n_vocab));
}

}  // namespace armature::tools::perplexity
