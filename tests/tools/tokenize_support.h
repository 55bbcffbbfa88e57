#pragma once

#include <string>

#include "gguf/writer.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"
#include "tests/support/vocabularies.h"
#include "tests/tools/model_file.h"

namespace armature::test {

/// A file that holds a vocabulary and nothing else, and `armature tokenize` on it.
class VocabularyFile {
 public:
  explicit VocabularyFile(const TestVocabulary& vocabulary) {
    gguf::Writer writer;
    add_vocabulary(writer, vocabulary);
    path_ = folder_.write("vocabulary.gguf", writer.bytes());
  }

  const std::string& path() const { return path_; }
  const TempDir& folder() const { return folder_; }
  Launch launch(const Args& args, std::string input = {}) const {
    return {.args = Args{"tokenize", "-m", path_} + args, .input = std::move(input)};
  }
  Outcome tokenize(const Args& args, std::string input = {}) const {
    return run_program(launch(args, std::move(input)));
  }
  /// What --ids prints, without the line end; the error if there is one.
  std::string ids(const Args& args, std::string input = {}) const {
    const Outcome outcome = tokenize(Args{"--ids"} + args, std::move(input));
    return outcome.status == 0 ? outcome.out.substr(0, outcome.out.find('\n')) : outcome.err;
  }

 private:
  TempDir folder_;
  std::string path_;
};

inline TestVocabulary without_bos(TestVocabulary vocabulary) {
  vocabulary.add_bos = false;
  return vocabulary;
}

}  // namespace armature::test
