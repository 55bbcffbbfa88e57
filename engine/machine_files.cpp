#include "engine/machine_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/machine_text.h"

namespace armature::machine {

namespace fs = std::filesystem;

namespace {

// Larger numbers in a CPU list are no CPUs; the kernel's own limit is 8192 (NR_CPUS).
constexpr std::size_t kMaxCpu = 1 << 16;

// Little cores of two- and three-class Arm systems state capacities of about 1/8 to 3/5 of the largest, the
// middle ones more. A middle core helps, a little one holds the others up.
constexpr double kFastShare = 0.6;

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

struct Hierarchy {
  bool v2 = false;
  fs::path mount;   // where it is mounted, below root
  std::string top;  // the cgroup that is seen there: not "/" in a container without a cgroup namespace
};

/// A line of /proc/self/mountinfo (proc(5)): "36 35 0:33 /top /mount/point rw - cgroup cgroup rw,cpu".
std::optional<Hierarchy> parse_mount(const fs::path& root, const std::string& line,
                                     std::string_view controller) {
  const std::vector<std::string> words = split(line, ' ');
  const auto dash = std::find(words.begin(), words.end(), "-");
  if (dash - words.begin() < 6 || words.end() - dash < 4) return std::nullopt;
  const bool v2 = dash[1] == "cgroup2";
  if (!v2 && !(dash[1] == "cgroup" && contains(split(dash[3], ','), controller))) return std::nullopt;
  return Hierarchy{v2, root / fs::path(words[4]).relative_path(), words[3]};
}

/// This process's cgroup in a hierarchy, by /proc/self/cgroup: lines "4:cpu,cpuacct:/path" (v1), "0::/path".
std::optional<std::string> own_cgroup(const fs::path& root, bool v2, std::string_view controller) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (v2 ? controllers.empty() : contains(split(controllers, ','), controller))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<double> quota_of(const fs::path& folder, bool v2) {
  std::optional<std::int64_t> quota, period;
  if (v2) {
    const std::vector<std::string> words = split(trimmed(read_file(folder / "cpu.max")), ' ');
    if (words.size() != 2) return std::nullopt;
    quota = parse<std::int64_t>(words[0]);  // "max": none
    period = parse<std::int64_t>(words[1]);
  } else {
    quota = read_number<std::int64_t>(folder / "cpu.cfs_quota_us");  // -1: none
    period = read_number<std::int64_t>(folder / "cpu.cfs_period_us");
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<std::uint64_t> memory_left_in(const fs::path& folder, bool v2) {
  const auto limit = read_number<std::uint64_t>(folder / (v2 ? "memory.max" : "memory.limit_in_bytes"));
  const auto used = read_number<std::uint64_t>(folder / (v2 ? "memory.current" : "memory.usage_in_bytes"));
  if (!limit || !used) return std::nullopt;
  const std::uint64_t idle =
      read_field(folder / "memory.stat", v2 ? "inactive_file" : "total_inactive_file").value_or(0);
  const std::uint64_t in_use = *used - std::min(*used, idle);
  return *limit - std::min(*limit, in_use);
}

std::vector<std::size_t> both(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::vector<std::size_t> out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

/// "1 CPU", "2 CPUs"; "1.33 CPUs".
std::string counted(double n, const std::string& what) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::round(n * 100) / 100).ptr;
  return std::string(digits.data(), end) + ' ' + what + (n == 1.0 ? "" : "s");
}

}  // namespace

std::vector<std::size_t> parse_cpu_list(std::string_view text) {
  std::vector<std::size_t> cpus;
  for (const std::string& part : split(trimmed(text), ',')) {
    const std::size_t dash = part.find('-');
    const auto first = parse<std::size_t>(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse<std::size_t>(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last > kMaxCpu) return {};
    for (std::size_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::vector<CgroupFolder> cgroup_folders(const fs::path& root, std::string_view controller) {
  std::vector<CgroupFolder> folders;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const auto hierarchy = parse_mount(root, line, controller);
    if (!hierarchy) continue;
    const auto own = own_cgroup(root, hierarchy->v2, controller);
    if (!own) continue;
    // A path that leads out of what is mounted says nothing about what lies inside.
    fs::path below = fs::path(*own).lexically_relative(hierarchy->top);
    if (below.empty() || *below.begin() == "..") below = ".";
    for (fs::path folder = below; folder != "." && !folder.empty(); folder = folder.parent_path())
      folders.push_back({hierarchy->mount / folder, hierarchy->v2});
    folders.push_back({hierarchy->mount, hierarchy->v2});
  }
  return folders;
}

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> smallest;
  for (const auto& [folder, v2] : cgroup_folders(root, "cpu"))
    if (const auto quota = quota_of(folder, v2)) smallest = std::min(smallest.value_or(*quota), *quota);
  return smallest;
}

std::vector<std::size_t> fast_cpus(const fs::path& root, const std::vector<std::size_t>& allowed) {
  const auto performance = both(allowed, parse_cpu_list(read_file(root / "sys/devices/cpu_core/cpus")));
  if (!performance.empty()) return performance;

  std::vector<double> capacity;
  for (const std::size_t cpu : allowed) {
    const auto value = read_number<std::uint32_t>(root / "sys/devices/system/cpu" /
                                                  ("cpu" + std::to_string(cpu)) / "cpu_capacity");
    if (!value) return allowed;
    capacity.push_back(*value);
  }
  const double largest = *std::max_element(capacity.begin(), capacity.end());
  std::vector<std::size_t> fast;
  for (std::size_t i = 0; i < allowed.size(); ++i)
    if (capacity[i] > kFastShare * largest) fast.push_back(allowed[i]);
  return fast.empty() ? allowed : fast;
}

ThreadChoice choose_threads(const fs::path& root, const std::vector<std::size_t>& allowed) {
  ThreadChoice choice{allowed.size(),
                      counted(static_cast<double>(allowed.size()), "CPU") + " in the affinity mask"};
  const std::size_t n_fast = fast_cpus(root, allowed).size();
  if (n_fast < choice.n_threads) {
    choice.n_threads = n_fast;
    choice.reason = counted(static_cast<double>(n_fast), "fast core") + " among " + choice.reason;
  }
  // Rounded: one thread more than the quota is throttled now and then, one less leaves CPU time unused.
  const std::optional<double> quota = cpu_quota(root);
  if (quota && std::round(*quota) < static_cast<double>(choice.n_threads)) {
    choice.n_threads = static_cast<std::size_t>(std::max(1.0, std::round(*quota)));
    choice.reason = "cgroup quota of " + counted(*quota, "CPU") + ", less than " + choice.reason;
  }
  return choice;
}

std::optional<std::uint64_t> cgroup_memory_left(const fs::path& root) {
  std::optional<std::uint64_t> smallest;
  for (const auto& [folder, v2] : cgroup_folders(root, "memory"))
    if (const auto left = memory_left_in(folder, v2)) smallest = std::min(smallest.value_or(*left), *left);
  return smallest;
}

std::uint64_t available_memory(const fs::path& root, const MemoryLimits& limits) {
  constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  // By the field of proc/self/status that counts against a limit of the process.
  const auto left = [&](std::optional<std::uint64_t> limit, std::string_view field) {
    if (!limit) return kUnknown;
    return *limit - std::min(*limit, read_field(root / "proc/self/status", field).value_or(0));
  };
  return std::min({read_field(root / "proc/meminfo", "MemAvailable:").value_or(kUnknown),
                   cgroup_memory_left(root).value_or(kUnknown), left(limits.address_space, "VmSize:"),
                   left(limits.data, "VmData:")});
}

std::uint64_t peak_rss(const fs::path& root) {
  return read_field(root / "proc/self/status", "VmHWM:").value_or(0);
}

}  // namespace armature::machine
