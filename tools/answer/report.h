#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/answer/generate.h"

namespace armature::tools {

/// All that a finished run tells besides its text.
struct RunReport {
  std::string text;                   // as shown, valid UTF-8
  std::optional<std::string> prompt;  // its text, where that is to be told
  Generation generation;
  std::size_t n_prompt = 0;  // tokens
  std::uint32_t seed = 0;

  struct {
    std::string path, architecture, type;
    std::uint64_t bytes = 0;
  } model;

  Clock::duration load{};
  Clock::duration total{};  // wall clock, from the start of the program

  struct {
    std::uint64_t weights = 0;     // bytes of the files
    std::string_view weights_are;  // "mapped", "read"
    std::uint64_t kv = 0;          // in use; kv_full once the context is full
    std::uint64_t kv_full = 0;
    std::uint64_t scratch = 0;
    std::uint64_t peak_rss = 0;
  } memory;

  std::size_t n_threads = 1;
  std::string isa;
};

/// What is neither loading, nor a forward pass, nor the sampler: total less these.
Clock::duration other_time(const RunReport& report);

/// One JSON object with a line end. Rates are tokens per second of the passes that they name, 0 without any;
/// text that is not UTF-8 (in a path) has U+FFFD for it.
std::string to_json(const RunReport& report);
/// Lines for people: stop reason, times, memory.
std::vector<std::string> to_lines(const RunReport& report);

double milliseconds(Clock::duration time);
double per_second(std::size_t tokens, Clock::duration time);        // 0 without tokens
std::string passes_text(std::size_t tokens, Clock::duration time);  // "81.5 ms (10 tokens, 122.7/s)"
std::string ids_text(std::span<const TokenId> tokens);              // "[1, 2, 3]"

}  // namespace armature::tools
