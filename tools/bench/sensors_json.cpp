#include "tools/bench/sensors_json.h"

namespace armature::tools::bench {
namespace {

Json joules_json(const Observations& seen, double n_tokens) {
  Reading per_token = seen.joules;
  if (per_token.value) *per_token.value /= n_tokens;
  Json json = json_of(per_token);
  if (seen.joules.value) json["joules"] = *seen.joules.value;
  return json;
}

Json range_json(const Clocks& clocks) {
  return {{"min", clocks.min}, {"mean", clocks.mean}, {"max", clocks.max}};
}

Json clock_json(const Observations& seen) {
  Json json = json_of(seen.clock_mhz);
  if (!seen.clock_mhz.value) return json;
  json["before"] = range_json(seen.clocks_before);
  json["after"] = range_json(seen.clocks_after);
  if (!seen.clocks_after.governor.empty()) json["governor"] = seen.clocks_after.governor;
  return json;
}

Json throttled_json(const Observations& seen) {
  Json json = json_of(seen.thermal_events);
  if (!seen.thermal_events.value) return json;
  json["core"] = seen.events.core;
  json["package"] = seen.events.package;
  return json;
}

Json cooling_json(const Observations& seen) {
  Json json = json_of(seen.cooling_state);
  if (!seen.cooling_state.value) return json;
  json["before"] = seen.cooling_before;
  json["most"] = seen.cooling_most;
  return json;
}

Json quota_json(const Observations& seen) {
  Json json = json_of(seen.quota_periods);
  if (seen.quota_periods.value) json["seconds"] = seen.quota_seconds;
  return json;
}

Json temperature_json(const Observations& seen) {
  Json json = json_of(seen.celsius);
  if (seen.celsius.value && seen.celsius_before) json["before"] = *seen.celsius_before;
  return json;
}

}  // namespace

void add_sensors(Json& x, const Observations& seen, double n_tokens) {
  x["clock_mhz"] = clock_json(seen);
  x["temperature_c"] = temperature_json(seen);
  x["throttled"] = throttled_json(seen);
  x["cooling"] = cooling_json(seen);
  x["quota_throttled"] = quota_json(seen);
  x["steal"] = json_of(seen.steal_share);
  x["joules_per_token"] = joules_json(seen, n_tokens);
}

}  // namespace armature::tools::bench
