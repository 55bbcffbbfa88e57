#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace armature::test {

/// The cases of a file beside the reference models; none where they are absent.
inline std::vector<nlohmann::json> read_cases(const std::string& name) {
  std::vector<nlohmann::json> cases;
  std::ifstream file(std::string(ARMATURE_TEST_DATA "/models/") + name);
  for (std::string line; std::getline(file, line);) cases.push_back(nlohmann::json::parse(line));
  return cases;
}

/// How many greedy tokens must agree: those before the first choice that rounding may turn. 0.6 is the bound
/// for activations of 8 bits with keys and values in f16.
inline std::size_t safe_length(const nlohmann::json& c) {
  std::size_t n = 0;
  while (n < c["margin"].size() && c["margin"][n].get<double>() > 0.6) ++n;
  return n;
}

inline std::vector<int> first(const nlohmann::json& tokens, std::size_t n) {
  const std::vector<int> all = tokens;
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(n, all.size()))};
}

inline std::string ids_text(const nlohmann::json& ids) {
  std::string text = "[";
  for (const int id : ids) text += (text.size() > 1 ? ", " : "") + std::to_string(id);
  return text + "]";
}

}  // namespace armature::test
