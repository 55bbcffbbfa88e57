#pragma once

#include "tools/bench/reading_json.h"
#include "tools/sensors/run_sensors.h"

namespace armature::tools::bench {

/// Adds what the sensors said to the object "x" of a record. `n_tokens`: those of all repetitions together.
void add_sensors(Json& x, const Observations& seen, double n_tokens);

}  // namespace armature::tools::bench
