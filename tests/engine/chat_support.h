#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/chat/template.h"
#include "gguf/error.h"

namespace armature::chat {

/// A template and the inputs of one rendering, held together.
class Rendering {
 public:
  explicit Rendering(std::string_view source) : source_(source) {
    inputs_.bos_token = "<s>";
    inputs_.eos_token = "</s>";
  }

  Rendering& message(std::string role, std::string content) {
    messages_.push_back({std::move(role), std::move(content)});
    return *this;
  }
  Rendering& variable(std::string name, Value value) {
    inputs_.variables.insert_or_assign(std::move(name), std::move(value));
    return *this;
  }
  RenderInputs& inputs() { return inputs_; }

  Rendered rendered() {
    inputs_.messages = messages_;
    return Template::parse(source_).render(inputs_);
  }
  std::string text() { return rendered().text; }

  /// The literal parts of the result.
  std::vector<std::string> literals() {
    const Rendered result = rendered();
    std::vector<std::string> parts;
    for (const ByteRange& range : result.literal) {
      parts.push_back(result.text.substr(range.begin, range.end - range.begin));
    }
    return parts;
  }

  /// The message of the Error bad_template that parsing or rendering throws; empty when there is none.
  std::string error() {
    try {
      rendered();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_template) << error.what();
      return error.what();
    }
    return {};
  }

 private:
  std::string source_;
  std::vector<Message> messages_;
  RenderInputs inputs_;
};

inline std::string render(std::string_view source) { return Rendering(source).text(); }
inline std::string error_of(std::string_view source) { return Rendering(source).error(); }

}  // namespace armature::chat
