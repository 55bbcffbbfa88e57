#include "tools/bench/host.h"

#include <sys/utsname.h>

#include "engine/machine.h"
#include "engine/machine_files.h"
#include "engine/machine_hardware.h"
#include "gguf/compose.h"
#include "kernels/cpu.h"
#include "tools/bench/hash.h"

namespace armature::tools::bench {
namespace {

std::string system_text() {
  utsname names{};
  if (::uname(&names) != 0) return {};
  return compose("{} {} {}", names.sysname, names.release, names.machine);
}

std::string core_names(const std::vector<std::size_t>& cpus) {
  std::string names;
  for (const machine::CoreKind& kind : machine::core_kinds("/", cpus, {cpu::brand(), cpu::midr()}))
    names += compose("{}{}", names.empty() ? "" : ", ", kind.name);
  return names.empty() ? "CPU" : names;
}

}  // namespace

std::string HostFacts::fingerprint() const {
  Fnv1a hash;
  for (const std::string& fact : {cpu_info, cpus, features, system}) {
    hash.add(fact);
    hash.add("\n");
  }
  hash.add(memory.value_or(0) >> 30);  // what the kernel keeps for itself differs from start to start
  return hash.text();
}

HostFacts read_host() {
  HostFacts host;
  const auto online = machine::online_cpus("/", allowed_cpus());
  host.cpu_info = core_names(online);
  host.cpus = machine::cpu_list(online);
  host.affinity = machine::cpu_list(allowed_cpus());
  host.quota = machine::cpu_quota("/");
  host.features = cpu::describe(cpu::detect());
  host.system = system_text();
  host.memory = machine::total_memory("/");
  return host;
}

}  // namespace armature::tools::bench
