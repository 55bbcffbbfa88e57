#include "tests/support/tokenizer_cases.h"

#include <fstream>
#include <map>

namespace armature::test {

namespace {

using nlohmann::json;

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::map<std::string, std::string> read_long_texts() {
  std::map<std::string, std::string> texts;
  for_each_line(tokenizer_vectors() + "long-texts.jsonl", [&](const json& line) {
    std::string text = line.value("text", "");
    if (line.contains("repeat")) text = repeated(line["repeat"][0], line["repeat"][1]);
    texts[line["name"]] = text + line.value("then", "");
  });
  return texts;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string text_of(const json& line, const std::map<std::string, std::string>& long_texts) {
  if (line.contains("text_name")) return long_texts.at(line["text_name"]);
  if (line.contains("bytes_hex")) return from_hex(line["bytes_hex"]);
  return line["text"];
}

std::vector<int> ids_of(const json& line, bool loses_bytes) {
  if (line.contains("ids")) return line["ids"];
  if (loses_bytes) return line["ids_replaced"];
  if (line.contains("ids_lossless")) return line["ids_lossless"];
  std::vector<int> ids;
  for (const json& run : line["ids_rle"]) ids.insert(ids.end(), run[1].get<std::size_t>(), run[0].get<int>());
  return ids;
}

std::string decoded_of(const json& line, const std::string& text) {
  if (!line.contains("detok")) return {};
  if (line["detok"] == true) return text;
  return line["detok"] == "leading space" ? " " + text : line["detok"].get<std::string>();
}

}  // namespace

std::string tokenizer_vectors() { return ARMATURE_TEST_DATA "/vectors/tokenizer/"; }

std::vector<std::string> tokenizer_vector_names() {
  return {"llama-2", "phi-3", "gpt-2", "starcoder", "deepseek-coder", "llama-3", "phi-4", "qwen3"};
}

bool file_exists(const std::string& path) { return std::ifstream(path).good(); }

int for_each_line(const std::string& path, const std::function<void(const json&)>& use) {
  std::ifstream file(path, std::ios::binary);
  int n = 0;
  for (std::string line; std::getline(file, line); ++n) use(json::parse(line));
  return n;
}

std::vector<TokenizerCase> read_tokenizer_cases(const std::string& name) {
  const auto long_texts = read_long_texts();
  std::vector<TokenizerCase> cases;
  for_each_line(tokenizer_vectors() + name + ".cases.jsonl", [&](const json& line) {
    TokenizerCase c;
    c.id = line["id"];
    c.kind = line["kind"];
    c.text = text_of(line, long_texts);
    c.add_special = line["add_special"];
    c.parse_special = line["parse_special"];
    c.loses_bytes = line.contains("ids_lossless") && line["ids_lossless"].is_null();
    c.ids = ids_of(line, c.loses_bytes);
    c.decoded = decoded_of(line, c.text);
    cases.push_back(std::move(c));
  });
  return cases;
}

}  // namespace armature::test
