#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"

namespace armature::test {

inline constexpr const char* kChatTemplate =
    "{{ bos_token }}{% for m in messages %}<im>{{ m.role }}\n"
    "{{ m.content }}<eot>\n"
    "{% endfor %}{% if add_generation_prompt %}<im>assistant\n"
    "{% endif %}";

/// Answers every turn of the template with "A", in the given context.
inline TinyModel answering_model(std::uint32_t n_ctx = 4096) {
  TinyModel tiny = table_model(path_table({10, 65, 277}), -20.0f, n_ctx);
  tiny.set("tokenizer.chat_template", kChatTemplate);
  return tiny;
}

/// Answers with B after B after B.
inline TinyModel endless_model(std::uint32_t n_ctx = 4096) {
  TinyModel tiny = table_model(path_table({10, 66, 66}), -20.0f, n_ctx);
  tiny.set("tokenizer.chat_template", kChatTemplate);
  return tiny;
}

class Chat {
 public:
  explicit Chat(const TinyModel& model) : file_(model) {}

  Launch launch(const std::string& input, const Args& args = {}) const {
    return {.args = Args{"chat", "-m", file_.path(), "--temp", "0"} + args, .input = input};
  }
  Outcome run(const std::string& input, const Args& args = {}) const {
    return run_program(launch(input, args));
  }
  /// The objects of --json.
  std::vector<nlohmann::json> turns(const std::string& input, const Args& args = {}, int status = 0) const {
    const Outcome outcome = run(input, args + Args{"--json"});
    EXPECT_EQ(outcome.status, status) << outcome.err;
    std::vector<nlohmann::json> turns;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) turns.push_back(nlohmann::json::parse(line));
    return turns;
  }

 private:
  ModelFile file_;
};

}  // namespace armature::test
