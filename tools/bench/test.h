#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What a benchmark runs.
namespace armature::tools::bench {

struct ModelChoice {
  enum class Kind : std::uint8_t { BuiltIn, File, Synthetic };
  Kind kind = Kind::BuiltIn;
  std::string text = {};  // the path, or what --synth says

  bool operator==(const ModelChoice&) const = default;
};

/// One measurement, as asked for.
struct Test {
  ModelChoice model;
  std::string load_mode = "auto";  // a word of -lm
  std::size_t n_batch = 2048, n_ubatch = 512;
  std::string type_k = "f16", type_v = "f16";  // of the cache
  int flash_attn = -1;                         // 0, 1; -1: auto
  std::size_t n_threads = 0;                   // 0: what the machine or the mask has
  std::string cpu_mask = "0x0";                // hexadecimal; 0: any CPU
  bool cpu_strict = false;
  std::size_t n_depth = 0;  // tokens that are in the cache before
  std::size_t poll = 50;
  std::size_t n_prompt = 0, n_gen = 0;  // both: one test of the two together

  std::size_t n_ctx() const { return n_depth + n_prompt + n_gen; }
  /// Prompt tokens that one forward pass takes.
  std::size_t pass_rows() const { return n_ubatch < n_batch ? n_ubatch : n_batch; }
};

/// "pp512", "tg128", "pp256+tg1024", each with " @ d64" where there is a depth.
std::string label(const Test& test);
/// Whether both run on one model in memory.
bool same_model(const Test& a, const Test& b);

/// The lists of values of which every combination is tested.
struct TestLists {
  std::vector<ModelChoice> models;
  std::vector<std::string> load_modes;
  std::vector<std::size_t> n_batch, n_ubatch;
  std::vector<std::string> type_k, type_v;
  std::vector<int> flash_attn;
  std::vector<std::size_t> n_threads;
  std::vector<std::string> cpu_masks;
  std::vector<bool> cpu_strict;
  std::vector<std::size_t> n_depth, poll;

  struct Tokens {
    std::size_t first, second;
  };
  std::vector<std::size_t> n_prompt, n_gen;  // 0: none
  std::vector<Tokens> pg;                    // a prompt, then generation
  std::vector<Tokens> gp;                    // generation of `second` tokens behind `first` more of depth
};

/// The combinations in llama-bench's order: as nested loops over the lists above, models outermost, and in
/// each of them all prompt tests, all of generation, all of -pg, all of -gp.
std::vector<Test> list_tests(const TestLists& lists);

}  // namespace armature::tools::bench
