#include "tools/key_overrides.h"

#include <algorithm>
#include <array>
#include <string>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools {
namespace {

/// Whether a text begins as an override does, with "KEY=TYPE:".
bool is_override(std::string_view text) {
  const std::string_view key = text.substr(0, text.find('='));
  if (key.empty() || key.size() == text.size() || key.find(',') != key.npos) return false;
  constexpr std::array<std::string_view, 4> kTypes = {"int:", "float:", "bool:", "str:"};
  return std::any_of(kTypes.begin(), kTypes.end(),
                     [&](std::string_view type) { return text.substr(key.size() + 1).starts_with(type); });
}

/// Cut at the commas that another override follows; others belong to a value.
std::vector<std::string_view> split_overrides(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',' || !is_override(text.substr(i + 1))) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// "{arch}.rope.KEY=TYPE:VALUE"
gguf::KeyOverride rope_key(std::string_view key, std::string_view type, const TextArg& value) {
  return gguf::parse_override(compose("{arch}.rope.{}={}:{}", key, type, value.text()));
}

/// What the flags of RoPE say; 0 stands for the model's own value.
std::vector<gguf::KeyOverride> rope_overrides(const Arguments& args) {
  std::vector<gguf::KeyOverride> overrides;
  if (args.is_given(Option::RopeScaling))
    overrides.push_back(rope_key("scaling.type", "str", args.text(Option::RopeScaling)));
  if (const double scale = args.real(Option::RopeFreqScale); scale != 0)
    overrides.push_back(rope_key("scaling.factor", "float", 1 / scale));
  if (const double scale = args.real(Option::RopeScale); scale != 0)
    overrides.push_back(rope_key("scaling.factor", "float", scale));
  if (const double base = args.real(Option::RopeFreqBase); base != 0)
    overrides.push_back(rope_key("freq_base", "float", base));
  if (const std::int64_t n_ctx = args.integer(Option::YarnOrigCtx); n_ctx != 0)
    overrides.push_back(rope_key("scaling.original_context_length", "int", n_ctx));
  return overrides;
}

}  // namespace

std::vector<gguf::KeyOverride> key_overrides(const Arguments& args) {
  std::vector<gguf::KeyOverride> overrides = rope_overrides(args);
  for (const std::string& list : args.all(Option::OverrideKv)) {
    try {
      for (const std::string_view text : split_overrides(list))
        overrides.push_back(gguf::parse_override(text));
    } catch (const Error& error) {
      throw UsageError(compose("--override-kv: {}", error.what()));
    }
  }
  return overrides;
}

}  // namespace armature::tools
