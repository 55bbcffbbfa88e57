// Files of --kl-divergence-base, byte for byte, and broken ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "gguf/error.h"
#include "tests/support/gguf_values.h"
#include "tests/support/temp_dir.h"
#include "tools/perplexity/kl_file.h"
#include "tools/perplexity/packed_row.h"

namespace armature::tools::perplexity {
namespace {

using test::append;
using test::Bytes;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint32_t kCtx = 6, kVocab = 5, kChunks = 2;  // 2 places in each chunk
constexpr std::size_t kTokensAt = 20, kRowsAt = kTokensAt + 4 * kCtx * kChunks, kRowBytes = 20;
constexpr std::size_t kFileBytes = kRowsAt + 4 * kRowBytes;

void append_text(Bytes& out, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// As the format's description has it, without the code under test.
Bytes good_file() {
  Bytes out;
  append_text(out, "_logits_");
  for (const std::uint32_t number : {kCtx, kVocab, kChunks}) append(out, test::to_bytes(number));
  for (std::int32_t i = 0; i < 12; ++i) append(out, test::to_bytes(i % 5));
  for (int row = 0; row < 4; ++row) {
    append(out, test::to_bytes(0x1p-14f));
    append(out, test::to_bytes(-4.0f - 0.25f * static_cast<float>(row)));
    for (const int code : {20, 8, 0, 1, 65535, 0})
      append(out, test::to_bytes(static_cast<std::uint16_t>(code)));
  }
  return out;
}

class KlFile : public testing::Test {
 protected:
  /// Reads all of a file.
  void read(const Bytes& bytes) const {
    KlFileReader reader(folder_.write("base.kl", bytes));
    for (std::size_t i = 0; i < reader.chunks().size(); ++i) reader.read_rows();
  }
  /// The refusal of the good file with bytes put in its place at `offset`.
  Error refusal(std::size_t offset, const Bytes& patch) const {
    Bytes bytes = good_file();
    std::copy(patch.begin(), patch.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    return refusal_of(bytes);
  }
  Error refusal_of(const Bytes& bytes) const {
    try {
      read(bytes);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "accepted";
    return Error(ErrorCode::io, "");
  }

  test::TempDir folder_;
};

TEST_F(KlFile, IsRead) {
  KlFileReader reader(folder_.write("base.kl", good_file()));
  EXPECT_EQ(reader.n_vocab(), kVocab);
  EXPECT_EQ(reader.chunks().n_ctx, kCtx);
  ASSERT_EQ(reader.chunks().size(), kChunks);
  EXPECT_EQ(reader.chunks().tokens[7], TokenId{2});
  const auto first = reader.read_rows();
  ASSERT_EQ(first.size(), 2 * kRowBytes);
  EXPECT_EQ(PackedRow(first.data()).log_probability(0), -4.0f + 20 * 0x1p-14f);
  EXPECT_EQ(PackedRow(first.data() + kRowBytes).log_probability(1), -4.25f + 8 * 0x1p-14f);
  EXPECT_EQ(PackedRow(reader.read_rows().data() + kRowBytes).log_probability(2), -4.75f);
}

TEST_F(KlFile, IsWrittenAsItIsRead) {
  const Bytes want = good_file();
  const std::string path = folder_.path("written.kl");
  {
    Chunks chunks{kCtx, {}};
    for (int i = 0; i < 12; ++i) chunks.tokens.push_back(TokenId{i % 5});
    KlFileWriter writer(path);
    writer.write_head(chunks, kVocab);
    writer.write_rows(std::span(want).subspan(kRowsAt, 2 * kRowBytes));
    writer.write_rows(std::span(want).subspan(kRowsAt + 2 * kRowBytes));
    EXPECT_FALSE(std::ifstream(path).good()) << "not there before it is whole";
    writer.commit();
  }
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const auto got = std::as_bytes(std::span(bytes));
  EXPECT_EQ(Bytes(got.begin(), got.end()), want);
}

TEST_F(KlFile, CutAnywhere) {
  const Bytes whole = good_file();
  ASSERT_EQ(whole.size(), kFileBytes);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const Error error = refusal_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)));
    EXPECT_EQ(error.code(), ErrorCode::too_short) << n;
    EXPECT_EQ(error.place().offset, n);
  }
  const Bytes one_chunk(whole.begin(), whole.begin() + kRowsAt + 3 * kRowBytes);
  EXPECT_THAT(refusal_of(one_chunk).what(),
              AllOf(HasSubstr("offset 0x80"), HasSubstr("148 bytes are needed; of 2 chunks it has 1")));
}

TEST_F(KlFile, BytesBehindTheEnd) {
  Bytes bytes = good_file();
  bytes.resize(bytes.size() + 3);
  const Error error = refusal_of(bytes);
  EXPECT_EQ(error.code(), ErrorCode::bad_value);
  EXPECT_EQ(error.place().offset, kFileBytes);
  EXPECT_THAT(error.what(), HasSubstr("3 bytes behind the last chunk"));
}

TEST_F(KlFile, WrongNumbers) {
  EXPECT_EQ(refusal(3, test::to_bytes('x')).code(), ErrorCode::bad_magic);
  struct Case {
    std::size_t offset;
    std::uint32_t number;
    ErrorCode code;
  };
  for (const Case& c : {Case{8, 0, ErrorCode::bad_count},
                        {8, 3, ErrorCode::bad_value},
                        {8, (1u << 24) + 1, ErrorCode::bad_value},
                        {8, 1u << 24, ErrorCode::too_short},
                        {12, 0, ErrorCode::bad_count},
                        {12, 0xffffffff, ErrorCode::bad_count},
                        {12, 4, ErrorCode::bad_value},
                        {16, 0, ErrorCode::bad_count},
                        {16, 3, ErrorCode::too_short},
                        {16, 0x7fffffff, ErrorCode::too_short},
                        {kTokensAt + 4, 5, ErrorCode::bad_value},
                        {kTokensAt + 4, 0xffffffff, ErrorCode::bad_value}}) {
    EXPECT_EQ(refusal(c.offset, test::to_bytes(c.number)).code(), c.code) << c.offset << " " << c.number;
  }
  EXPECT_THAT(refusal(kTokensAt + 4, test::to_bytes(5)).what(),
              AllOf(HasSubstr("offset 0x18: tokens: token 5 is outside"), HasSubstr("0 to 4")));
}

TEST_F(KlFile, RowsThatNoModelGives) {
  const std::size_t last = kRowsAt + 3 * kRowBytes;
  for (const float step : {-1.0f, 0.001f, 0.0f}) {  // the highest probability above 1, or below 1/5
    const Error error = refusal(last, test::to_bytes(step));
    EXPECT_EQ(error.code(), ErrorCode::bad_value) << step;
    EXPECT_EQ(error.place().offset, last) << step;
  }
  EXPECT_THAT(refusal(last, test::to_bytes(0.001f)).what(), HasSubstr("from -ln 5 to 0"));
}

TEST_F(KlFile, AnotherVocabulary) {
  const KlFileReader reader(folder_.write("base.kl", good_file()));
  EXPECT_NO_THROW(check_vocabulary(reader, kVocab));
  try {
    check_vocabulary(reader, 6);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("base.kl"), HasSubstr("5, but the model's has 6 tokens")));
  }
}

}  // namespace
}  // namespace armature::tools::perplexity
