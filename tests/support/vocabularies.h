#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/writer.h"

namespace armature::test {

/// The tokenizer keys of a made-up file.
struct TestVocabulary {
  std::string model;  // tokenizer.ggml.model
  std::string pre;    // absent if empty, as scores and merges
  std::vector<std::string> tokens;
  std::vector<std::int32_t> types;
  std::vector<float> scores;
  std::vector<std::string> merges;
  std::optional<std::uint32_t> bos, eos, eot, unknown;
  std::optional<bool> add_bos, add_space_prefix;
};

/// 280 byte-level tokens: 0-255 are the bytes; 256-274 the results of 19 merges: "\n\n", "  ", "33", "333",
/// "3333", " 3", "he", "ll", "hell", "hello", " hello", "'r", "'re", "'R", "'RE", and the byte pairs F0 9F,
/// A6 99, E6 AD, C3 A9; 275 <bos>, 276 <eos>, 277 <eot>, 279 <im> (control), 278 <tag> (user-defined). No
/// add_bos key.
TestVocabulary byte_level_vocabulary(std::string_view pre);

/// 280 SPM tokens: 0 <unk>, 1 <s>, 2 </s>, 3-258 the bytes; 259-261 one, two and four spaces; 262 "He", "ll",
/// "Hell", "Hello", 266 " Hello", " G", "G", "H", "e", "l", "o", 273 ".", "1", "/", "2", 277 "½"; 278 and 279
/// unused. Scores are -1000, -1001 and -2000 downwards for spaces and single characters, -1 downwards for the
/// others.
TestVocabulary spm_vocabulary(bool add_space_prefix);

/// Adds the keys to a file.
void add_vocabulary(gguf::Writer& writer, const TestVocabulary& vocabulary);

/// The spelling of a byte in byte-level vocabularies, e.g. "Ġ" for a space.
std::string byte_level_char(std::uint8_t byte);

}  // namespace armature::test
