#include "engine/chat/source.h"

#include <algorithm>

#include "engine/chat/utf8.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

std::string with_plain_line_ends(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\r') {
      text.push_back(bytes[i]);
    } else if (i + 1 == bytes.size() || bytes[i + 1] != '\n') {
      text.push_back('\n');
    }
  }
  return text;
}

}  // namespace

void Source::fail(std::size_t offset, std::string_view problem) const {
  const std::string_view before = std::string_view(text).substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = count_characters(before.substr(line_start)) + 1;
  const std::string where = "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
  throw Error(ErrorCode::bad_template, Place{.file = {}, .offset = {}, .item = name},
              where + std::string(problem));
}

Source read_source(std::string_view bytes, std::string_view name) {
  Source source{std::string(name), with_plain_line_ends(bytes)};
  const std::size_t invalid = find_invalid_utf8(source.text);
  if (invalid != std::string_view::npos) source.fail(invalid, "bytes that are not UTF-8");
  if (source.text.ends_with('\n')) source.text.pop_back();
  return source;
}

}  // namespace armature::chat
