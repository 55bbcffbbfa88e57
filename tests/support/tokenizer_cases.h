#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// The reference data of tokenizers: files of JSON lines, not in the repository.
namespace armature::test {

/// The folder, with a slash at its end.
std::string tokenizer_vectors();
/// The vocabularies that it has files for: "llama-2" and so on.
std::vector<std::string> tokenizer_vector_names();

bool file_exists(const std::string& path);
/// Calls `use` with the object in each line of a file; the number of lines.
int for_each_line(const std::string& path, const std::function<void(const nlohmann::json&)>& use);

/// A text with the ids that are right for it.
struct TokenizerCase {
  std::string id, kind;
  std::string text;  // not UTF-8 in cases of kind "invalid"
  bool add_special = false, parse_special = false;
  std::vector<int> ids;
  bool loses_bytes = false;  // the vocabulary has no token for a byte of the text
  std::string decoded;       // the bytes of the ids one after the other; empty if the case does not say
};
/// The cases of a vocabulary.
std::vector<TokenizerCase> read_tokenizer_cases(const std::string& name);

}  // namespace armature::test
