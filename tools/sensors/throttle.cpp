#include "tools/sensors/throttle.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "engine/machine_files.h"
#include "engine/machine_text.h"
#include "gguf/compose.h"

namespace armature::tools {

namespace fs = std::filesystem;
using Of = ThermalCount::Of;

namespace {

std::string line_of(const fs::path& file) { return std::string(machine::trimmed(machine::read_file(file))); }

bool slows_processors(std::string_view type) {
  // ACPI; cpufreq_cooling and cpuidle_cooling by their device tree, in newer and older kernels.
  return type == "Processor" || type.starts_with("thermal-cpu") || type.starts_with("cpu") ||
         type.starts_with("thermal-idle");
}

/// The largest growth among the counts of each group, by kind.
using Growth = std::map<std::pair<Of, std::string>, std::uint64_t>;

std::uint64_t sum_of(const Growth& growth, Of of) {
  std::uint64_t sum = 0;
  for (const auto& [group, events] : growth)
    if (group.first == of) sum += events;
  return sum;
}

/// A line "cpu0 user nice system idle iowait irq softirq steal guest ..." of /proc/stat (proc(5)), from the
/// second word on. Guests are within user and nice.
std::optional<CpuTicks> parse_ticks(std::istringstream& words) {
  CpuTicks ticks;
  for (int column = 0; column < 8; ++column) {
    std::string word;
    words >> word;
    const auto value = machine::parse<std::uint64_t>(word);
    if (!value) return std::nullopt;
    ticks.all += *value;
    ticks.stolen = *value;
  }
  return ticks;
}

}  // namespace

std::vector<ThermalCount> read_thermal_counts(const fs::path& root) {
  std::vector<ThermalCount> counts;
  for (const auto& [cpu, folder] : machine::numbered(root / "sys/devices/system/cpu", "cpu")) {
    const std::string siblings = line_of(folder / "topology/thread_siblings_list");
    const fs::path events = folder / "thermal_throttle";
    if (const auto count = machine::read_number<std::uint64_t>(events / "core_throttle_count"))
      counts.push_back({cpu, Of::Core, siblings.empty() ? compose("{}", cpu) : siblings, *count});
    if (const auto count = machine::read_number<std::uint64_t>(events / "package_throttle_count"))
      counts.push_back({cpu, Of::Package, line_of(folder / "topology/physical_package_id"), *count});
  }
  return counts;
}

std::optional<ThermalEvents> events_between(const std::vector<ThermalCount>& before,
                                            const std::vector<ThermalCount>& after) {
  if (before.empty() || before.size() != after.size()) return std::nullopt;
  Growth growth;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const ThermalCount& old = before[i];
    const ThermalCount& now = after[i];
    if (old.cpu != now.cpu || old.of != now.of || now.count < old.count) return std::nullopt;
    std::uint64_t& most = growth[{old.of, old.group}];
    most = std::max(most, now.count - old.count);
  }
  return ThermalEvents{sum_of(growth, Of::Core), sum_of(growth, Of::Package)};
}

std::optional<CoolingState> read_cooling(const fs::path& root) {
  std::optional<CoolingState> found;
  for (const auto& [number, device] : machine::numbered(root / "sys/class/thermal", "cooling_device")) {
    std::string type = line_of(device / "type");
    if (!slows_processors(type)) continue;
    const auto state = machine::read_number<std::uint64_t>(device / "cur_state");
    if (!state || (found && found->state >= *state)) continue;
    const auto most = machine::read_number<std::uint64_t>(device / "max_state");
    found = CoolingState{*state, most.value_or(0), std::move(type)};
  }
  return found;
}

std::optional<QuotaCounts> read_quota_counts(const fs::path& root) {
  std::optional<QuotaCounts> sum;
  for (const auto& [folder, v2] : machine::cgroup_folders(root, "cpu")) {
    const fs::path file = folder / "cpu.stat";
    const auto periods = machine::read_field(file, "nr_throttled");
    const auto time = machine::read_field(file, v2 ? "throttled_usec" : "throttled_time");
    if (!periods || !time) continue;
    if (!sum) sum.emplace();
    sum->periods += *periods;
    sum->nanoseconds += *time * (v2 ? 1000 : 1);
  }
  return sum;
}

std::optional<CpuTicks> read_cpu_ticks(const fs::path& root, const std::vector<std::size_t>& cpus) {
  std::optional<CpuTicks> all, sum;
  std::ifstream in(root / "proc/stat");
  for (std::string line; std::getline(in, line) && line.starts_with("cpu");) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    const auto ticks = parse_ticks(words);
    if (!ticks) return std::nullopt;
    if (name == "cpu") all = ticks;
    const auto cpu = machine::parse<std::size_t>(std::string_view(name).substr(3));
    if (!cpu || std::find(cpus.begin(), cpus.end(), *cpu) == cpus.end()) continue;
    if (!sum) sum.emplace();
    sum->all += ticks->all;
    sum->stolen += ticks->stolen;
  }
  return sum ? sum : all;
}

}  // namespace armature::tools
