#include "tools/answer/report.h"

#include <nlohmann/json.hpp>

#include "gguf/compose.h"
#include "tools/cli/units.h"

namespace armature::tools {
namespace {

std::string ms_text(Clock::duration time) { return fixed(milliseconds(time), 1) + " ms"; }

}  // namespace

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

double per_second(std::size_t tokens, Clock::duration time) {
  const double seconds = std::chrono::duration<double>(time).count();
  return tokens > 0 && seconds > 0 ? static_cast<double>(tokens) / seconds : 0.0;
}

std::string passes_text(std::size_t tokens, Clock::duration time) {
  return compose("{} ({} tokens, {}/s)", ms_text(time), tokens, fixed(per_second(tokens, time), 1));
}

Clock::duration other_time(const RunReport& report) {
  const Generation& g = report.generation;
  return report.total - report.load - g.prompt - g.generate - g.sample;
}

std::string ids_text(std::span<const TokenId> tokens) {
  std::string text = "[";
  for (const TokenId token : tokens)
    text += compose("{}{}", text.size() > 1 ? ", " : "", static_cast<std::int32_t>(token));
  return text + "]";
}

std::string to_json(const RunReport& report) {
  const Generation& g = report.generation;
  nlohmann::ordered_json json;
  if (report.prompt) json["prompt"] = *report.prompt;
  json["text"] = report.text;
  json["tokens"] = nlohmann::ordered_json::array();
  for (const TokenId token : g.tokens) json["tokens"].push_back(static_cast<std::int32_t>(token));
  json["prompt_tokens"] = report.n_prompt;
  json["stop_reason"] = name_of(g.reason);
  json["seed"] = report.seed;
  json["model"] = {{"path", report.model.path},
                   {"architecture", report.model.architecture},
                   {"type", report.model.type},
                   {"bytes", report.model.bytes}};
  json["timings"] = {{"load_ms", milliseconds(report.load)},
                     {"prompt_ms", milliseconds(g.prompt)},
                     {"generate_ms", milliseconds(g.generate)},
                     {"sample_ms", milliseconds(g.sample)},
                     {"other_ms", milliseconds(other_time(report))},
                     {"prompt_per_second", per_second(g.n_prompt, g.prompt)},
                     {"generate_per_second", per_second(g.n_passes, g.generate)}};
  json["memory"] = {{"weights", report.memory.weights},
                    {"kv", report.memory.kv},
                    {"scratch", report.memory.scratch},
                    {"peak_rss", report.memory.peak_rss}};
  json["threads"] = report.n_threads;
  json["isa"] = report.isa;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::vector<std::string> to_lines(const RunReport& report) {
  const Generation& g = report.generation;
  const auto& memory = report.memory;
  return {
      compose("stop: {} after {} tokens; seed {}", name_of(g.reason), g.tokens.size(), report.seed),
      compose("time: load {}, prompt {}, generation {}, sampling {}, other {}; {} in all",
              ms_text(report.load), passes_text(g.n_prompt, g.prompt), passes_text(g.n_passes, g.generate),
              ms_text(g.sample), ms_text(other_time(report)), ms_text(report.total)),
      compose("memory: weights {} {}, KV {} of {}, scratch {}, peak resident {}", size_text(memory.weights),
              memory.weights_are, size_text(memory.kv), size_text(memory.kv_full), size_text(memory.scratch),
              size_text(memory.peak_rss)),
  };
}

}  // namespace armature::tools
