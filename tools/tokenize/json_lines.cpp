#include "tools/tokenize/json_lines.h"

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/tokenizer/utf8_stream.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/json_fault.h"
#include "tools/answer/report.h"
#include "tools/cli/output.h"

namespace armature::tools {
namespace {

using nlohmann::json;

[[noreturn]] void fail(std::string_view problem) { throw Error(ErrorCode::bad_argument, problem); }

constexpr int kMaxDepth = 64;

json parse_line(const LineReader::Line& line) {
  if (line.too_long) fail(compose("more than {} bytes", LineReader::kMaxLineBytes));
  const auto check_depth = [](int depth, json::parse_event_t, json&) {
    if (depth > kMaxDepth) fail(compose("nested deeper than {}", kMaxDepth));
    return true;
  };
  json request;
  try {
    request = json::parse(line.text, check_depth);
  } catch (const json::parse_error& error) {
    fail(compose("byte {}: {}", error.byte, json_fault(error.what())));
  } catch (const json::exception&) {
    fail("not JSON: a number that is too large");
  }
  if (!request.is_object()) fail(compose("{}; an object is needed", request.type_name()));
  return request;
}

/// An array of integers from 0 to `limit`.
template <class T>
std::vector<T> read_numbers(const json& request, const char* key, std::uint64_t limit) {
  const json& array = request.at(key);
  if (!array.is_array()) fail(compose("\"{}\" is {}; an array is needed", key, array.type_name()));
  std::vector<T> numbers;
  numbers.reserve(array.size());
  for (const json& item : array) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > limit) {
      fail(compose("\"{}\": element {} is {}; integers from 0 to {} are allowed", key, numbers.size(),
                   quote(item.dump()), limit));
    }
    numbers.push_back(static_cast<T>(item.get<std::uint64_t>()));
  }
  return numbers;
}

bool read_bool(const json& request, const char* key, bool otherwise) {
  const auto found = request.find(key);
  if (found == request.end()) return otherwise;
  if (!found->is_boolean()) fail(compose("\"{}\" is {}; true or false is needed", key, found->type_name()));
  return found->get<bool>();
}

std::string read_text(const json& request) {
  const bool has_text = request.contains("text");
  if (has_text == request.contains("bytes"))
    fail(has_text ? "both \"text\" and \"bytes\"" : "neither \"text\" nor \"bytes\"");
  if (!has_text) {
    const auto bytes = read_numbers<char>(request, "bytes", 255);
    return {bytes.begin(), bytes.end()};
  }
  const json& text = request.at("text");
  if (!text.is_string()) fail(compose("\"text\" is {}; a string is needed", text.type_name()));
  return text.get<std::string>();
}

std::string text_answer(const std::string& text) {
  std::string shown;
  Utf8Stream stream;
  stream.push(text, shown);
  stream.flush(shown);
  nlohmann::ordered_json answer = {{"text", shown}};
  if (shown != text) answer["bytes"] = std::vector<std::uint8_t>(text.begin(), text.end());
  return answer.dump();
}

/// Writes what `answer` makes of each line, or its error.
LinesAnswered answer_lines(LineReader& input, const std::function<std::string(const json& request)>& answer) {
  LinesAnswered done;
  while (const auto line = input.next()) {
    ++done.n_lines;
    std::string out;
    try {
      out = answer(parse_line(*line));
    } catch (const Error& error) {
      ++done.n_bad;
      out = json{{"error", compose("line {}: {}", done.n_lines, error.what())}}.dump();
    }
    write_stdout(out + "\n");
  }
  return done;
}

}  // namespace

LinesAnswered encode_lines(LineReader& input, const Tokenizer& tokenizer, Normaliser& normaliser,
                           const EncodeOptions& defaults) {
  EncodeLosses losses;
  LinesAnswered done = answer_lines(input, [&](const json& request) {
    EncodeOptions options = defaults;
    options.add_special = read_bool(request, "add_special", defaults.add_special);
    options.parse_special = read_bool(request, "parse_special", defaults.parse_special);
    const std::string text = normaliser.apply(read_text(request));
    return compose("{\"ids\": {}}", ids_text(tokenizer.encode(text, options, losses)));
  });
  done.losses = losses;
  return done;
}

LinesAnswered decode_lines(LineReader& input, const Tokenizer& tokenizer) {
  return answer_lines(input, [&](const json& request) {
    if (!request.contains("ids")) fail("no \"ids\"");
    return text_answer(tokenizer.decode(read_numbers<TokenId>(request, "ids", tokenizer.n_vocab() - 1)));
  });
}

}  // namespace armature::tools
