#include "tools/bench/test.h"

#include <utility>

#include "gguf/compose.h"

namespace armature::tools::bench {
namespace {

/// Each of the tests with each of the values.
template <class Values, class Value>
std::vector<Test> crossed(const std::vector<Test>& tests, const Values& values, Value Test::*member) {
  std::vector<Test> out;
  for (const Test& test : tests) {
    for (const auto& value : values) {
      out.push_back(test);
      out.back().*member = value;
    }
  }
  return out;
}

/// The combinations of all but the numbers of tokens.
std::vector<Test> settings(const TestLists& lists) {
  std::vector<Test> tests = {Test()};
  tests = crossed(tests, lists.models, &Test::model);
  tests = crossed(tests, lists.load_modes, &Test::load_mode);
  tests = crossed(tests, lists.n_batch, &Test::n_batch);
  tests = crossed(tests, lists.n_ubatch, &Test::n_ubatch);
  tests = crossed(tests, lists.type_k, &Test::type_k);
  tests = crossed(tests, lists.type_v, &Test::type_v);
  tests = crossed(tests, lists.flash_attn, &Test::flash_attn);
  tests = crossed(tests, lists.n_threads, &Test::n_threads);
  tests = crossed(tests, lists.cpu_masks, &Test::cpu_mask);
  tests = crossed(tests, lists.cpu_strict, &Test::cpu_strict);
  tests = crossed(tests, lists.n_depth, &Test::n_depth);
  return crossed(tests, lists.poll, &Test::poll);
}

}  // namespace

std::string label(const Test& test) {
  std::string text;
  if (test.n_prompt > 0) text = compose("pp{}", test.n_prompt);
  if (test.n_gen > 0) text += compose("{}tg{}", text.empty() ? "" : "+", test.n_gen);
  return test.n_depth > 0 ? compose("{} @ d{}", text, test.n_depth) : text;
}

bool same_model(const Test& a, const Test& b) { return a.model == b.model && a.load_mode == b.load_mode; }

std::vector<Test> list_tests(const TestLists& lists) {
  std::vector<Test> out;
  for (const Test& setting : settings(lists)) {
    const auto add = [&](std::size_t n_prompt, std::size_t n_gen, std::size_t depth) {
      if (n_prompt + n_gen == 0) return;
      Test& test = out.emplace_back(setting);
      test.n_prompt = n_prompt;
      test.n_gen = n_gen;
      test.n_depth += depth;
    };
    for (const std::size_t n : lists.n_prompt) add(n, 0, 0);
    for (const std::size_t n : lists.n_gen) add(0, n, 0);
    for (const auto& [prompt, gen] : lists.pg) add(prompt, gen, 0);
    for (const auto& [depth, gen] : lists.gp) add(0, gen, depth);
  }
  return out;
}

}  // namespace armature::tools::bench
