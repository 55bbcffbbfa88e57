#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <optional>
#include <string>

#include "kernels/kernels.h"

/// What the benchmarks of kernel rows share.
namespace armature::bench {

// One file each: all rows of some kinds.
void register_products();
void register_attention();
void register_element_wise();
void register_roofs();

/// Registers a benchmark of a row if this CPU can run it. Names are "kind/isa/detail".
template <class Row, class Run>
void register_row(const Row& row, const std::string& kind, const std::string& detail, Run run) {
  if (!cpu::has(cpu::detect(), row.needs)) return;
  const std::string name = kind + "/" + std::string(row.name) + (detail.empty() ? "" : "/" + detail);
  benchmark::RegisterBenchmark(name.c_str(), [&row, run](benchmark::State& state) { run(state, row); });
}

/// What one iteration does. What is 0 is not told.
struct WorkDone {
  double bytes = 0;  // that are read from memory; of what stays in a cache: that are touched
  double multiply_adds = 0;
  bool from_memory = false;  // bytes are more than caches hold: their share of the read roof is told
  std::optional<kernels::Arithmetic> arithmetic = {};  // of which the share of the peak is told
};
/// Of `iterations` iterations in so many seconds: GB/s, GOP/s (two operations for each multiply-add) and
/// shares of this machine's roofs with one thread, which are measured when they are first needed.
void tell(benchmark::State& state, const WorkDone& work, double seconds);

/// Runs body() as often as the benchmark wants, and tells of it.
template <class Body>
void repeat(benchmark::State& state, const WorkDone& work, const Body& body) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (auto _ : state) {
    body();
    benchmark::ClobberMemory();
  }
  tell(state, work, std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace armature::bench
