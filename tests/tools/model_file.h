#pragma once

#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace armature::test {

using Args = std::vector<std::string>;

inline Args operator+(Args left, const Args& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// One model file, and runs of it.
class ModelFile {
 public:
  explicit ModelFile(const TinyModel& model) : path_(folder_.write("model.gguf", model)) {}

  const std::string& path() const { return path_; }
  Outcome run(const Args& args) const { return command("run", args); }
  /// As text to complete, with the most probable token each time.
  Outcome greedy(const Args& args) const { return run(Args{"--temp", "0", "--raw"} + args); }
  Outcome command(const std::string& name, const Args& args) const {
    return run_program(Args{name, "-m", path_} + args);
  }

 private:
  TempDir folder_;
  std::string path_;
};

/// The ids that -v tells of the prompt.
inline std::string prompt_ids(const Outcome& outcome) {
  const std::size_t begin = outcome.err.find("prompt: ");
  if (begin == std::string::npos) return "(none)";
  return outcome.err.substr(begin + 8, outcome.err.find('\n', begin) - begin - 8);
}

}  // namespace armature::test
