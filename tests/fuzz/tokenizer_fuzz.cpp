// Text of any bytes through a tokenizer: it must come back as it was, unless something is told to be lost.
// The first byte of the input chooses the vocabulary, the second the options, the next two a literal range.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/tokenizer/nfc.h"
#include "engine/tokenizer/pre_rules.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/utf8.h"
#include "engine/tokenizer/utf8_stream.h"
#include "gguf/reader.h"
#include "tests/support/vocabularies.h"

namespace {

using namespace armature;

/// A made-up vocabulary and the file that it lies in.
struct Subject {
  explicit Subject(const test::TestVocabulary& vocabulary) {
    gguf::Writer writer;
    test::add_vocabulary(writer, vocabulary);
    bytes = writer.bytes();
    file = gguf::parse(bytes, "fuzz.gguf");
    tokenizer = Tokenizer::from(file.metadata);
  }
  std::vector<std::byte> bytes;
  gguf::File file;
  std::unique_ptr<const Tokenizer> tokenizer;
};

/// Has no token for two bytes.
test::TestVocabulary poor_vocabulary() {
  test::TestVocabulary vocabulary = test::byte_level_vocabulary("gpt-2");
  vocabulary.tokens[0xC3] = vocabulary.tokens[0xFF] = "(none)";
  vocabulary.tokens[274] = "(no pair)";
  vocabulary.merges.pop_back();
  vocabulary.unknown = 278;
  return vocabulary;
}

std::vector<std::unique_ptr<Subject>> make_subjects() {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const bool prefix : {false, true}) {
    subjects.push_back(std::make_unique<Subject>(test::spm_vocabulary(prefix)));
  }
  subjects.push_back(std::make_unique<Subject>(poor_vocabulary()));
  for (const PreRule& rule : pre_rules()) {
    subjects.push_back(std::make_unique<Subject>(test::byte_level_vocabulary(rule.name)));
  }
  return subjects;
}

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Start start = read_utf8(text);
    if (start.kind != Utf8Kind::character) return false;
    text.remove_prefix(start.length);
  }
  return true;
}

std::string streamed(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  Utf8Stream stream;
  std::string shown, piece;
  for (const TokenId id : ids) {
    piece.clear();
    tokenizer.append_piece(piece, id, true);
    stream.push(piece, shown);
  }
  stream.flush(shown);
  return shown;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto subjects = make_subjects();
  if (size < 4) return 0;
  const std::size_t subject = data[0] % subjects.size();
  const Tokenizer& tokenizer = *subjects[subject]->tokenizer;
  const std::string_view text(reinterpret_cast<const char*>(data + 4), size - 4);
  const ByteRange range{data[2], data[2] + std::size_t{data[3]}};
  EncodeOptions options;
  options.add_special = false;
  options.parse_special = (data[1] & 1) != 0;
  if ((data[1] & 2) != 0) options.literal = {&range, 1};

  EncodeLosses losses;
  const auto ids = tokenizer.encode(text, options, losses);
  // The sign that stands for a space in SPM cannot be told from one afterwards.
  const bool is_spm = subject < 2;
  const bool comes_back = !is_spm || text.find("\u2581") == text.npos;
  if (comes_back && losses.n_replaced + losses.n_unknown == 0) require(tokenizer.decode(ids) == text);
  require(is_utf8(streamed(tokenizer, ids)));
  if (nfc_is_available()) require(is_nfc(to_nfc(text)));
  return 0;
}
