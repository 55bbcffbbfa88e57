#include "tools/chat/turn_report.h"

#include <nlohmann/json.hpp>

#include "gguf/compose.h"
#include "tools/answer/report.h"

namespace armature::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json_line(const Turn& turn, std::size_t number) {
  const Generation& g = turn.generation;
  Json json;
  json["turn"] = number;
  json["text"] = turn.text;
  json["tokens"] = Json::array();
  for (const TokenId token : g.tokens) json["tokens"].push_back(static_cast<std::int32_t>(token));
  json["stop_reason"] = name_of(g.reason);
  json["seed"] = turn.seed;
  json["n_prompt"] = turn.prompt.size();
  json["n_cached"] = turn.n_cached;
  json["n_processed"] = g.n_prompt;
  json["n_generated"] = g.tokens.size();
  json["n_dropped"] = turn.n_dropped;
  json["timings"] = {{"prompt_ms", milliseconds(g.prompt)},
                     {"generate_ms", milliseconds(g.generate)},
                     {"sample_ms", milliseconds(g.sample)},
                     {"prompt_per_second", per_second(g.n_prompt, g.prompt)},
                     {"generate_per_second", per_second(g.n_passes, g.generate)}};
  return one_line(json);
}

std::string error_json_line(std::string_view error, std::size_t number) {
  Json json;
  json["turn"] = number;
  json["error"] = error;
  return one_line(json);
}

std::string to_line(const Turn& turn) {
  const Generation& g = turn.generation;
  return compose("stop: {} after {} tokens; {} of {} prompt tokens were there; prompt {}, generation {}",
                 name_of(g.reason), g.tokens.size(), turn.n_cached, turn.prompt.size(),
                 passes_text(g.n_prompt, g.prompt), passes_text(g.n_passes, g.generate));
}

}  // namespace armature::tools
