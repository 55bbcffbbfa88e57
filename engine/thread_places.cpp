#include "engine/thread_places.h"

#include <atomic>
#include <set>

#include "engine/machine_hardware.h"
#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature {
namespace {

/// Where settle() has put a thread.
struct Settled {
  std::uint64_t id = 0;  // of the places
  std::size_t thread = 0;
  CpuMask before;
};
thread_local Settled settled;

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

ThreadPlaces::ThreadPlaces(const std::vector<CpuList>& places) {
  if (places.empty()) return;
  id_ = next_id();
  const CpuMask before = thread_affinity();
  for (const CpuList& cpus : places) {
    const CpuMask& mask = masks_.emplace_back(cpus);
    const bool bound = bind_thread(mask) && thread_affinity() == mask;
    bind_thread(before);
    if (bound) continue;
    throw Error(ErrorCode::bad_argument,
                compose("threads cannot be bound to the CPUs \"{}\"", machine::cpu_list(cpus)));
  }
}

std::size_t ThreadPlaces::n_cpus() const {
  std::set<std::size_t> cpus;
  for (const CpuMask& mask : masks_)
    for (const std::size_t cpu : mask.cpus()) cpus.insert(cpu);
  return cpus.size();
}

void ThreadPlaces::settle(std::size_t thread) const noexcept {
  if (settled.id == id_ && (id_ == 0 || settled.thread == thread)) return;
  if (settled.id == 0) settled.before = thread_affinity();
  bind_thread(anywhere() ? settled.before : of(thread));
  settled.id = id_;
  settled.thread = thread;
}

Visit::Visit(const ThreadPlaces* places) noexcept {
  if (places == nullptr || places->anywhere()) return;
  before_ = thread_affinity();
  moved_ = !(before_ == places->of(0)) && bind_thread(places->of(0));
}

Visit::~Visit() {
  if (moved_) bind_thread(before_);
}

}  // namespace armature
