#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/model.h"
#include "tools/bench/details.h"
#include "tools/bench/thread_plan.h"
#include "tools/roof/page_buffer.h"

namespace armature::tools::bench {

/// What the machine can do at best with the threads of a test.
struct TestRoofs {
  Roof base_pages, huge_pages;  // bytes per second
  Roof int8, bf16, f32;         // multiply-adds per second
};

/// The roofs of the threads that tests have, each measured once, in short.
class RoofCache {
 public:
  bool has(const ThreadPlan& threads) const { return measured_.contains(key(threads)); }
  /// Takes about half a second the first time for such threads. Null when it was interrupted.
  const TestRoofs* find(const ThreadPlan& threads, cpu::Features features);

 private:
  using Key = std::tuple<std::size_t, std::vector<CpuList>, std::size_t>;
  static Key key(const ThreadPlan& threads) {
    return {threads.n_threads, threads.options.places, threads.options.poll};
  }

  std::map<Key, TestRoofs> measured_;
};

/// The kind of pages in which most of the model's weights lie, as the system says; ordinary ones if it does
/// not.
roof::PageKind weight_pages(const Model& model);
/// What most of the layers' products multiply when a prompt comes in passes of so many tokens.
kernels::Arithmetic weight_arithmetic(const Model& model, std::size_t pass_rows);

/// The roofs that hold for this model go into a record's details.
void set_roofs(const TestRoofs& roofs, const Model& model, std::size_t pass_rows, Details& details);
/// ... or why there are none.
void set_no_roofs(const std::string& reason, Details& details);

}  // namespace armature::tools::bench
