#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>

#include "tests/support/program.h"

/// More threads than CPUs may cost some speed, never a collapse.
namespace armature::test {
namespace {

/// Milliseconds that 32 tokens take with n_threads on the first n_cpus of the allowed CPUs; the real model
/// where it is there, else the built-in one.
double generation_ms(int n_cpus, int n_threads) {
  Launch launch;
  launch.args = {"run",    "--raw", "-p",           "Hello",  "-n", "32",
                 "--temp", "0",     "--ignore-eos", "--json", "-t", std::to_string(n_threads)};
  const std::string model = ARMATURE_TEST_DATA "/models/SmolLM2-135M-Instruct.Q4_1.gguf";
  if (std::filesystem::exists(model)) launch.args.insert(launch.args.end(), {"-m", model});
  launch.in_child = [n_cpus] {
    cpu_set_t allowed, some;
    CPU_ZERO(&some);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&some) < n_cpus; ++cpu) {
      if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &some);
    }
    sched_setaffinity(0, sizeof(some), &some);
  };
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json report = outcome.json();
  EXPECT_EQ(report["tokens"].size(), 32u);
  return report["timings"]["generate_ms"];
}

TEST(Threads, MoreThanCpusDoNotCollapse) {
  if (program_is_emulated()) GTEST_SKIP() << "emulation has no speed to compare";
  // A busy machine can slow any one run: the best of some counts.
  const auto best_of = [](int n_cpus, int n_threads) {
    double best = generation_ms(n_cpus, n_threads);
    for (int i = 0; i < 2; ++i) best = std::min(best, generation_ms(n_cpus, n_threads));
    return best;
  };
  for (const auto& [n_cpus, threads] :
       {std::pair{1, std::vector{2, 4, 16}}, std::pair{2, std::vector{3, 64}}}) {
    const double fitting = best_of(n_cpus, n_cpus);
    for (const int n : threads) {
      EXPECT_LE(best_of(n_cpus, n), 5 * fitting) << n << " threads on " << n_cpus << " CPUs";
    }
  }
}

}  // namespace
}  // namespace armature::test
