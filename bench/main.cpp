#include <benchmark/benchmark.h>

#include "bench/rows.h"

/// Every row of the kernel table that this CPU can run, on one thread.
int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  armature::bench::register_products();
  armature::bench::register_attention();
  armature::bench::register_element_wise();
  armature::bench::register_roofs();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
