#include "tools/synth/shapes.h"

#include <algorithm>
#include <cassert>

#include "tools/synth/names.h"

namespace armature::tools::synth {
namespace {

constexpr ControlToken kSmolLmControls[] = {{0, "<|endoftext|>"}, {1, "<|im_start|>"}, {2, "<|im_end|>"}};
constexpr ControlToken kLlama2Controls[] = {{0, "<unk>"}, {1, "<s>"}, {2, "</s>"}};
constexpr ControlToken kLlama3Controls[] = {
    {128000, "<|begin_of_text|>"}, {128001, "<|end_of_text|>"}, {128009, "<|eot_id|>"}};
// llama.cpp refuses models with phi-3 in their name that lack any of the first four.
constexpr ControlToken kPhi3Controls[] = {
    {0, "<unk>"}, {1, "<s>"}, {2, "</s>"}, {32000, "<|endoftext|>"}, {32007, "<|end|>"}};
constexpr ControlToken kPhi4Controls[] = {
    {100257, "<|endoftext|>"}, {100264, "<|im_start|>"}, {100265, "<|im_end|>"}};
constexpr ControlToken kQwenControls[] = {
    {151643, "<|endoftext|>"}, {151644, "<|im_start|>"}, {151645, "<|im_end|>"}};
constexpr ControlToken kGemmaControls[] = {{0, "<pad>"}, {1, "<eos>"}, {2, "<bos>"}, {3, "<unk>"}};

// The rule for models that have a SentencePiece vocabulary: they get a byte-level one of the same size.
constexpr std::string_view kAnyRule = "gpt-2";
constexpr TokenFacts kSmolLm = {"smollm", 1, 2, false, kSmolLmControls};
constexpr TokenFacts kLlama2 = {kAnyRule, 1, 2, true, kLlama2Controls};
constexpr TokenFacts kLlama3 = {"llama-bpe", 128000, 128009, true, kLlama3Controls};
constexpr TokenFacts kPhi3 = {kAnyRule, 1, 32000, false, kPhi3Controls};
constexpr TokenFacts kPhi4 = {"dbrx", 100257, 100265, false, kPhi4Controls};
constexpr TokenFacts kQwen = {"qwen2", 151643, 151645, false, kQwenControls};
constexpr TokenFacts kGemma = {kAnyRule, 2, 1, true, kGemmaControls};

// Numbers: config.json of the models on Hugging Face (instruction-tuned ones where there are two); token ids
// too. mistral-7b is v0.3, phi-3-mini the one with 4k of context.
constexpr Shape kShapes[] = {
    // name, architecture, n_embd, n_ff, n_layer, n_head, n_head_kv, head_dim, n_vocab, rope_base, tied,
    // n_ctx, norm_eps, tokens
    {"tiny", "llama", 256, 768, 4, 8, 4, 32, 512, 1e4, true, 2048, 1e-5, kLlama2},
    {"smollm2-135m", "llama", 576, 1536, 30, 9, 3, 64, 49152, 1e5, true, 8192, 1e-5, kSmolLm},
    {"smollm2-360m", "llama", 960, 2560, 32, 15, 5, 64, 49152, 1e5, true, 8192, 1e-5, kSmolLm},
    {"smollm2-1.7b", "llama", 2048, 8192, 24, 32, 32, 64, 49152, 1.3e5, true, 8192, 1e-5, kSmolLm},
    {"tinyllama-1.1b", "llama", 2048, 5632, 22, 32, 4, 64, 32000, 1e4, false, 2048, 1e-5, kLlama2},
    {"llama-2-7b", "llama", 4096, 11008, 32, 32, 32, 128, 32000, 1e4, false, 4096, 1e-5, kLlama2},
    {"llama-3-8b", "llama", 4096, 14336, 32, 32, 8, 128, 128256, 5e5, false, 8192, 1e-5, kLlama3},
    {.name = "llama-3-70b",
     .architecture = "llama",
     .n_embd = 8192,
     .n_ff = 28672,
     .n_layer = 80,
     .n_head = 64,
     .n_head_kv = 8,
     .head_dim = 128,
     .n_vocab = 128256,
     .rope_base = 5e5,
     .tied = false,
     .n_ctx = 8192,
     .norm_eps = 1e-5,
     .tokens = kLlama3,
     .alias = "llama-70b"},
    {.name = "llama-3.1-8b",
     .architecture = "llama",
     .n_embd = 4096,
     .n_ff = 14336,
     .n_layer = 32,
     .n_head = 32,
     .n_head_kv = 8,
     .head_dim = 128,
     .n_vocab = 128256,
     .rope_base = 5e5,
     .tied = false,
     .n_ctx = 131072,
     .norm_eps = 1e-5,
     .tokens = kLlama3,
     .rope_factor = 8},
    {.name = "llama-3.2-1b",
     .architecture = "llama",
     .n_embd = 2048,
     .n_ff = 8192,
     .n_layer = 16,
     .n_head = 32,
     .n_head_kv = 8,
     .head_dim = 64,
     .n_vocab = 128256,
     .rope_base = 5e5,
     .tied = true,
     .n_ctx = 131072,
     .norm_eps = 1e-5,
     .tokens = kLlama3,
     .rope_factor = 32},
    {.name = "llama-3.2-3b",
     .architecture = "llama",
     .n_embd = 3072,
     .n_ff = 8192,
     .n_layer = 28,
     .n_head = 24,
     .n_head_kv = 8,
     .head_dim = 128,
     .n_vocab = 128256,
     .rope_base = 5e5,
     .tied = true,
     .n_ctx = 131072,
     .norm_eps = 1e-5,
     .tokens = kLlama3,
     .rope_factor = 32},
    {"mistral-7b", "llama", 4096, 14336, 32, 32, 8, 128, 32768, 1e6, false, 32768, 1e-5, kLlama2},
    {"phi-3-mini", "phi3", 3072, 8192, 32, 32, 32, 96, 32064, 1e4, false, 4096, 1e-5, kPhi3, 2047},
    {"phi-4", "phi3", 5120, 17920, 40, 40, 10, 128, 100352, 2.5e5, false, 16384, 1e-5, kPhi4},
    {"qwen2.5-0.5b", "qwen2", 896, 4864, 24, 14, 2, 64, 151936, 1e6, true, 32768, 1e-6, kQwen},
    {"qwen2.5-1.5b", "qwen2", 1536, 8960, 28, 12, 2, 128, 151936, 1e6, true, 32768, 1e-6, kQwen},
    {"qwen2.5-3b", "qwen2", 2048, 11008, 36, 16, 2, 128, 151936, 1e6, true, 32768, 1e-6, kQwen},
    {"qwen2.5-7b", "qwen2", 3584, 18944, 28, 28, 4, 128, 152064, 1e6, false, 32768, 1e-6, kQwen},
    {"qwen3-0.6b", "qwen3", 1024, 3072, 28, 16, 8, 128, 151936, 1e6, true, 40960, 1e-6, kQwen},
    {"qwen3-1.7b", "qwen3", 2048, 6144, 28, 16, 8, 128, 151936, 1e6, true, 40960, 1e-6, kQwen},
    {"qwen3-4b", "qwen3", 2560, 9728, 36, 32, 8, 128, 151936, 1e6, true, 40960, 1e-6, kQwen},
    {"qwen3-8b", "qwen3", 4096, 12288, 36, 32, 8, 128, 151936, 1e6, false, 40960, 1e-6, kQwen},
    {.name = "gemma-2-2b",
     .architecture = "gemma2",
     .n_embd = 2304,
     .n_ff = 9216,
     .n_layer = 26,
     .n_head = 8,
     .n_head_kv = 4,
     .head_dim = 256,
     .n_vocab = 256000,
     .rope_base = 1e4,
     .tied = true,
     .n_ctx = 8192,
     .norm_eps = 1e-6,
     .tokens = kGemma,
     .n_swa = 4096,
     .attn_softcap = 50,
     .final_softcap = 30},
    {.name = "gemma-3-1b",
     .architecture = "gemma3",
     .n_embd = 1152,
     .n_ff = 6912,
     .n_layer = 26,
     .n_head = 4,
     .n_head_kv = 1,
     .head_dim = 256,
     .n_vocab = 262144,
     .rope_base = 1e6,
     .tied = true,
     .n_ctx = 32768,
     .norm_eps = 1e-6,
     .tokens = kGemma,
     .n_swa = 512,
     .rope_base_swa = 1e4},
    {.name = "gemma-3-4b",
     .architecture = "gemma3",
     .n_embd = 2560,
     .n_ff = 10240,
     .n_layer = 34,
     .n_head = 8,
     .n_head_kv = 4,
     .head_dim = 256,
     .n_vocab = 262208,
     .rope_base = 1e6,
     .tied = true,
     .n_ctx = 131072,
     .norm_eps = 1e-6,
     .tokens = kGemma,
     .n_swa = 1024,
     .rope_linear = 8,
     .rope_base_swa = 1e4},
};

struct Architecture {
  std::string_view name;
  Traits traits;
};

// The tensors of each architecture: docs of the format and what llama.cpp's loader asks for (2026-08).
constexpr Architecture kArchitectures[] = {
    {"llama", {}},
    {"phi3", {.fused = true}},
    {"qwen2", {.qkv_bias = true}},
    {"qwen3", {.qk_norms = true}},
    {"gemma2", {.post_norms = true}},
    {"gemma3", {.qk_norms = true, .post_norms = true}},
};

}  // namespace

const Traits& Shape::traits() const {
  const auto found = std::find_if(std::begin(kArchitectures), std::end(kArchitectures),
                                  [this](const Architecture& a) { return a.name == architecture; });
  assert(found != std::end(kArchitectures));
  return found->traits;
}

std::span<const Shape> shapes() { return kShapes; }

const Shape& find_shape(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Shape& shape : kShapes) {
    if (same_name(name, shape.name) || (!shape.alias.empty() && same_name(name, shape.alias))) return shape;
    names.push_back(shape.name);
  }
  throw unknown_name("shape", name, names);
}

}  // namespace armature::tools::synth
