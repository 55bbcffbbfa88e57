#include "tools/bench/model_name.h"

#include <algorithm>
#include <map>

#include "gguf/compose.h"

namespace armature::tools::bench {
namespace {

// Names and numbers are llama.cpp's of 2026.

struct SizeClass {
  std::string_view architecture;
  std::size_t n_layer;
  std::string_view name;
  bool (*applies)(const ModelConfig&) = nullptr;  // null: to all that come here
};
constexpr SizeClass kSizeClasses[] = {
    {"llama", 16, "1B"},
    {"llama", 22, "1B"},
    {"llama", 26, "3B"},
    {"llama", 28, "3B"},
    {"llama", 30, "256M"},
    {"llama", 32, "3B", [](const ModelConfig& c) { return c.n_vocab == 49152; }},
    {"llama", 32, "7B", [](const ModelConfig& c) { return c.n_vocab < 40000; }},
    {"llama", 32, "8B"},
    {"llama", 36, "8B"},
    {"llama", 40, "13B"},
    {"llama", 48, "34B"},
    {"llama", 60, "30B"},
    {"llama", 80, "65B", [](const ModelConfig& c) { return c.n_head == c.n_head_kv; }},
    {"llama", 80, "70B"},
    {"mistral3", 26, "3B"},
    {"mistral3", 34, "8B"},
    {"mistral3", 40, "14B"},
    {"phi3", 24, "1B"},
    {"phi3", 32, "3B"},
    {"phi3", 40, "14B"},
    {"qwen2", 24, "0.5B", [](const ModelConfig& c) { return c.n_embd == 1024; }},
    {"qwen2", 24, "1B"},
    {"qwen2", 28, "1.5B", [](const ModelConfig& c) { return c.n_embd == 1536; }},
    {"qwen2", 28, "7B"},
    {"qwen2", 32, "7B"},
    {"qwen2", 36, "3B"},
    {"qwen2", 40, "4B", [](const ModelConfig& c) { return c.n_head.front() == 20; }},
    {"qwen2", 40, "13B"},
    {"qwen2", 48, "14B"},
    {"qwen2", 64, "32B"},
    {"qwen2", 80, "70B"},
};

std::string_view size_class(const ModelConfig& config) {
  const auto found =
      std::find_if(std::begin(kSizeClasses), std::end(kSizeClasses), [&](const SizeClass& row) {
        return row.architecture == config.architecture && row.n_layer == config.n_layer &&
               (row.applies == nullptr || row.applies(config));
      });
  return found == std::end(kSizeClasses) ? "?B" : found->name;
}

struct FileType {
  std::uint64_t number;  // general.file_type
  std::string_view name;
};
constexpr FileType kFileTypes[] = {
    {0, "all F32"},
    {1, "F16"},
    {2, "Q4_0"},
    {3, "Q4_1"},
    {7, "Q8_0"},
    {8, "Q5_0"},
    {9, "Q5_1"},
    {10, "Q2_K - Medium"},
    {11, "Q3_K - Small"},
    {12, "Q3_K - Medium"},
    {13, "Q3_K - Large"},
    {14, "Q4_K - Small"},
    {15, "Q4_K - Medium"},
    {16, "Q5_K - Small"},
    {17, "Q5_K - Medium"},
    {18, "Q6_K"},
    {19, "IQ2_XXS - 2.0625 bpw"},
    {20, "IQ2_XS - 2.3125 bpw"},
    {21, "Q2_K - Small"},
    {22, "IQ3_XS - 3.3 bpw"},
    {23, "IQ3_XXS - 3.0625 bpw"},
    {24, "IQ1_S - 1.5625 bpw"},
    {25, "IQ4_NL - 4.5 bpw"},
    {26, "IQ3_S - 3.4375 bpw"},
    {27, "IQ3_S mix - 3.66 bpw"},
    {28, "IQ2_S - 2.5 bpw"},
    {29, "IQ2_M - 2.7 bpw"},
    {30, "IQ4_XS - 4.25 bpw"},
    {31, "IQ1_M - 1.75 bpw"},
    {32, "BF16"},
    {36, "TQ1_0 - 1.69 bpw ternary"},
    {37, "TQ2_0 - 2.06 bpw ternary"},
    {38, "MXFP4 MoE"},
};

std::string file_type_name(std::uint64_t number) {
  for (const FileType& row : kFileTypes)
    if (row.number == number) return std::string(row.name);
  return "unknown, may not work";
}

/// The kind that is mostly of this type; of the K types the one in the middle.
std::string_view file_type_of(std::string_view type) {
  const std::string medium = compose("{} - Medium", type), prefix = compose("{} - ", type);
  const auto named = [](const auto& fits) {
    return std::find_if(std::begin(kFileTypes), std::end(kFileTypes),
                        [&](const FileType& row) { return fits(row.name); });
  };
  auto found = named([&](std::string_view name) { return name == type || name == medium; });
  if (found == std::end(kFileTypes))
    found = named([&](std::string_view name) { return name.starts_with(prefix); });
  return found == std::end(kFileTypes) ? type : found->name;
}

/// By the type that most tensors have.
std::string guessed_type_name(const gguf::ModelFiles& files) {
  std::map<gguf::TensorType, std::size_t> counts;
  for (const gguf::File& file : files.files())
    for (const gguf::TensorInfo& tensor : file.tensors) ++counts[tensor.type];
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == counts.end() || most->first == gguf::TensorType::F32) return "(guessed) all F32";
  return compose("(guessed) {}", file_type_of(gguf::type_info(most->first).name));
}

}  // namespace

std::string model_name(const ModelConfig& config, const gguf::ModelFiles& files) {
  const auto number = files.metadata().find_uint("general.file_type", 0, 0xffffffff);
  return compose("{} {} {}", config.architecture, size_class(config),
                 number ? file_type_name(*number) : guessed_type_name(files));
}

}  // namespace armature::tools::bench
