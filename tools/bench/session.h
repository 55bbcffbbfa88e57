#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engine/decoder.h"
#include "engine/model.h"
#include "tools/bench/host.h"
#include "tools/bench/loaded_model.h"
#include "tools/bench/options.h"
#include "tools/bench/peak_memory.h"
#include "tools/bench/record.h"
#include "tools/bench/roof_cache.h"
#include "tools/bench/thread_plan.h"
#include "tools/sensors/sensors.h"
#include "tools/verify/kernels.h"

namespace armature::tools::bench {

/// Runs tests one after the other. The model stays in memory while tests have the same.
class Session {
 public:
  /// `load_options`: features and overridden keys of all models.
  Session(BenchOptions options, LoadOptions load_options);

  /// Throws UsageError for a test whose CPUs are not to be had.
  void check(std::span<const Test> tests) const;
  /// Nothing when it was interrupted. Throws Error: the model's file, which may have changed meanwhile,
  /// memory. With --progress each step is a line on standard error that begins with `title`.
  std::optional<Record> run(const Test& test, const std::string& title);

  /// Called with each model when it is loaded.
  std::function<void(const LoadedModel&)> on_load;

 private:
  bool need_roofs(const ThreadPlan& threads, const StepNotice& notice);
  void need_model(const Test& test);
  void check_output(const Decoder& decoder, Record& record);
  void fill_details(const Decoder& decoder, Record& record);

  BenchOptions options_;
  LoadOptions load_options_;
  HostFacts host_;
  Machine machine_;
  Sensors sensors_;
  Test loaded_for_;
  LoadedModel loaded_;
  verify::PlanChecker checker_;
  RoofCache roofs_;
  const TestRoofs* test_roofs_ = nullptr;  // null: they are not wanted
  PeakMemory memory_;
};

}  // namespace armature::tools::bench
