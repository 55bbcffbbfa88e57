#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "tools/sensors/reading.h"

namespace armature::tools::bench {

using Json = nlohmann::ordered_json;

/// How records write a number that may not be there.
inline Json known(Json value) { return {{"value", std::move(value)}}; }
inline Json unknown(std::string_view reason) { return {{"value", nullptr}, {"reason", reason}}; }
inline Json json_of(const Reading& reading) {
  if (!reading.value) return unknown(reading.reason);
  Json json = known(*reading.value);
  if (!reading.reason.empty()) json["reason"] = reading.reason;
  if (!reading.source.empty()) json["source"] = reading.source;
  return json;
}

}  // namespace armature::tools::bench
