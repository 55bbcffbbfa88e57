#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/input_file.h"
#include "tools/cli/output_file.h"
#include "tools/perplexity/chunks.h"

/// Files of --kl-divergence-base, the same as llama-perplexity's; docs/formats.md describes them.
namespace armature::tools::perplexity {

/// Writes head and tokens at once, then the rows of each chunk. The file appears when it is whole.
class KlFileWriter {
 public:
  /// Throws Error io.
  explicit KlFileWriter(std::string path) : out_(std::move(path)) {}
  void write_head(const Chunks& chunks, std::size_t n_vocab);
  /// The packed rows of the next chunk.
  void write_rows(std::span<const std::byte> rows) { out_.write(rows); }
  void commit() { out_.commit(); }

 private:
  OutputFile out_;
};

/// Reads head and tokens at once, then the rows of chunk after chunk.
class KlFileReader {
 public:
  /// Throws Error: io; bad_magic; bad_count or bad_value (numbers that no file has); too_short, also where
  /// the size of a regular file shows that rows are missing, with what is there and needed; bad_value for
  /// bytes behind the last row.
  explicit KlFileReader(const std::string& path);

  const std::string& name() const { return in_.name(); }
  const Chunks& chunks() const { return chunks_; }
  std::size_t n_vocab() const { return n_vocab_; }

  /// The next chunk's packed rows, valid until the next call. Throws Error: io, too_short, bad_value (a row
  /// that is not sound).
  std::span<const std::byte> read_rows();

 private:
  void read(void* out, std::size_t n, const char* what);
  std::uint32_t read_number(const char* what);
  void read_tokens(std::size_t n_chunks);
  void check_size(const std::string& path, std::uint64_t n_chunks) const;
  std::uint64_t bytes_of_chunk() const { return chunks_.n_places() * packed_row_bytes_; }

  InputFile in_;
  std::uint64_t offset_ = 0;
  Chunks chunks_;
  std::size_t n_vocab_ = 0, packed_row_bytes_ = 0;
  std::vector<std::byte> rows_;
};

/// Throws Error wrong_shape unless the file is of a vocabulary of this size.
void check_vocabulary(const KlFileReader& file, std::size_t n_vocab);

}  // namespace armature::tools::perplexity
