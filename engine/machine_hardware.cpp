#include "engine/machine_hardware.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "engine/machine_files.h"
#include "engine/machine_text.h"
#include "gguf/compose.h"
#include "kernels/core_names.h"

namespace armature::machine {

namespace fs = std::filesystem;

namespace {

fs::path cpu_folder(const fs::path& root, std::size_t cpu) {
  return root / "sys/devices/system/cpu" / compose("cpu{}", cpu);
}

/// "32K", "8192K", "1M".
std::optional<std::uint64_t> parse_size(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  const std::uint64_t unit = text.back() == 'K' ? 1u << 10 : text.back() == 'M' ? 1u << 20 : 1;
  if (unit > 1) text.remove_suffix(1);
  const auto number = parse<std::uint64_t>(text);
  return number ? std::optional(*number * unit) : std::nullopt;
}

std::optional<std::uint32_t> parse_hex(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("0x")) text.remove_prefix(2);
  const auto value = parse<std::uint64_t>(text, 16);
  return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

/// A block of /proc/cpuinfo on Arm, as far as it has been read.
struct CpuinfoBlock {
  std::optional<std::size_t> cpu;
  std::map<std::string, std::uint32_t> fields;

  /// Put together as MIDR_EL1 holds them (Arm Architecture Reference Manual).
  std::optional<std::uint32_t> midr() const {
    const auto field = [this](const char* name) {
      const auto at = fields.find(name);
      return at == fields.end() ? std::nullopt : std::optional(at->second);
    };
    const auto implementer = field("CPU implementer"), part = field("CPU part");
    if (!cpu || !implementer || !part) return std::nullopt;
    return *implementer << 24 | field("CPU variant").value_or(0) << 20 | 0xfu << 16 | *part << 4 |
           field("CPU revision").value_or(0);
  }
};

std::map<std::size_t, std::uint32_t> midrs_of_cpuinfo(const fs::path& root) {
  std::map<std::size_t, std::uint32_t> midrs;
  CpuinfoBlock block;
  const auto close = [&] {
    if (const auto midr = block.midr()) midrs[*block.cpu] = *midr;
    block = {};
  };
  std::ifstream in(root / "proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string name(trimmed(std::string_view(line).substr(0, colon)));
    const std::string_view value = trimmed(std::string_view(line).substr(colon + 1));
    if (name == "processor") {
      close();
      block.cpu = parse<std::size_t>(value);
    } else if (const auto number = value.starts_with("0x") ? parse_hex(value) : parse<std::uint32_t>(value)) {
      block.fields[name] = *number;
    }
  }
  close();
  return midrs;
}

std::map<std::size_t, std::uint32_t> midrs_of(const fs::path& root, const std::vector<std::size_t>& cpus) {
  std::map<std::size_t, std::uint32_t> midrs;
  for (const std::size_t cpu : cpus)
    if (const auto midr = parse_hex(read_file(cpu_folder(root, cpu) / "regs/identification/midr_el1")))
      midrs[cpu] = *midr;
  return midrs.empty() ? midrs_of_cpuinfo(root) : midrs;
}

std::vector<std::size_t> class_of(const fs::path& root, const char* kind) {
  return parse_cpu_list(read_file(root / "sys/devices" / kind / "cpus"));
}

/// The name that /proc/cpuinfo shows, on x86 and on some others.
std::string model_name(const fs::path& root) {
  std::ifstream in(root / "proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return std::string(trimmed(line.substr(line.find(':') + 1)));
  return {};
}

/// One cache of one CPU, or nothing where its size is not told.
std::optional<Cache> read_cache(const fs::path& folder) {
  const auto level = read_number<std::size_t>(folder / "level");
  const auto bytes = parse_size(read_file(folder / "size"));
  if (!level || !bytes || *bytes == 0) return std::nullopt;
  Cache cache;
  cache.level = *level;
  cache.bytes = *bytes;
  cache.type = trimmed(read_file(folder / "type"));
  for (char& c : cache.type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  cache.line = read_number<std::size_t>(folder / "coherency_line_size").value_or(0);
  cache.shared_by = parse_cpu_list(read_file(folder / "shared_cpu_list")).size();
  return cache;
}

auto kind_of(const Cache& c) { return std::tie(c.level, c.type, c.bytes, c.line, c.shared_by); }

std::uint64_t node_memory(const fs::path& folder) {
  std::ifstream in(folder / "meminfo");  // "Node 0 MemTotal:       16384 kB"
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find("MemTotal:");
    if (at == std::string::npos || !line.ends_with(" kB")) continue;
    line.resize(line.size() - 3);
    return parse<std::uint64_t>(line.substr(at + 9)).value_or(0) * 1024;
  }
  return 0;
}

}  // namespace

std::vector<std::size_t> online_cpus(const fs::path& root, std::vector<std::size_t> otherwise) {
  auto cpus = parse_cpu_list(read_file(root / "sys/devices/system/cpu/online"));
  return cpus.empty() ? otherwise : cpus;
}

std::vector<CoreKind> core_kinds(const fs::path& root, const std::vector<std::size_t>& cpus,
                                 const CpuIdentity& own) {
  const auto midrs = midrs_of(root, cpus);
  const auto performance = class_of(root, "cpu_core"), efficient = class_of(root, "cpu_atom");
  const std::string brand = own.brand.empty() && own.midr == 0 ? model_name(root) : own.brand;
  const auto name_of = [&](std::size_t cpu) -> std::string {
    if (const auto at = midrs.find(cpu); at != midrs.end()) return cpu::arm_core_name(at->second);
    if (own.midr != 0) return cpu::arm_core_name(own.midr);
    if (std::binary_search(performance.begin(), performance.end(), cpu)) return brand + ", performance";
    if (std::binary_search(efficient.begin(), efficient.end(), cpu)) return brand + ", efficient";
    return brand;
  };
  std::vector<CoreKind> kinds;
  for (const std::size_t cpu : cpus) {
    const std::string name = name_of(cpu);
    if (name.empty()) continue;
    const auto same =
        std::find_if(kinds.begin(), kinds.end(), [&](const CoreKind& kind) { return kind.name == name; });
    if (same != kinds.end()) {
      same->cpus.push_back(cpu);
    } else {
      kinds.push_back({name, {cpu}});
    }
  }
  return kinds;
}

std::vector<Cache> caches(const fs::path& root, const std::vector<std::size_t>& cpus) {
  std::vector<Cache> found;
  std::set<std::pair<std::string, std::string>> seen;  // level and type, the CPUs that share one
  for (const std::size_t cpu : cpus) {
    for (const auto& [index, folder] : numbered(cpu_folder(root, cpu) / "cache", "index")) {
      const auto cache = read_cache(folder);
      const std::string sharers(trimmed(read_file(folder / "shared_cpu_list")));
      if (!cache || !seen.emplace(compose("{} {}", cache->level, cache->type), sharers).second) continue;
      const auto same = std::find_if(found.begin(), found.end(),
                                     [&](const Cache& c) { return kind_of(c) == kind_of(*cache); });
      ++(same != found.end() ? *same : found.emplace_back(*cache)).count;
    }
  }
  for (Cache& cache : found)
    if (cache.shared_by == 0) cache.count = 0;
  std::stable_sort(found.begin(), found.end(), [](const Cache& a, const Cache& b) {
    return std::tie(a.level, a.type) < std::tie(b.level, b.type);
  });
  return found;
}

std::vector<Cache> caches_known_to_libc() {
  std::vector<Cache> found;
#ifdef _SC_LEVEL1_DCACHE_SIZE
  struct Name {
    std::size_t level;
    const char* type;
    int size, line;
  };
  for (const Name& name : {Name{1, "data", _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_LINESIZE},
                           Name{1, "instruction", _SC_LEVEL1_ICACHE_SIZE, _SC_LEVEL1_ICACHE_LINESIZE},
                           Name{2, "unified", _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_LINESIZE},
                           Name{3, "unified", _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL3_CACHE_LINESIZE}}) {
    const long bytes = ::sysconf(name.size), line = ::sysconf(name.line);
    if (bytes <= 0) continue;
    found.push_back({name.level, name.type, static_cast<std::uint64_t>(bytes),
                     static_cast<std::size_t>(std::max(line, 0L)), 0, 0});
  }
#endif
  return found;
}

Pages pages(const fs::path& root) {
  Pages out;
  const fs::path folder = root / "sys/kernel/mm";
  const std::string setting = read_file(folder / "transparent_hugepage/enabled");  // "always [madvise] never"
  const std::size_t begin = setting.find('['), end = setting.find(']');
  if (begin < end && end != std::string::npos) out.transparent = setting.substr(begin + 1, end - begin - 1);
  out.transparent_bytes =
      read_number<std::uint64_t>(folder / "transparent_hugepage/hpage_pmd_size").value_or(0);
  for (const auto& [kib, pool] : numbered(folder / "hugepages", "hugepages-", "kB")) {
    out.huge.push_back({kib * 1024, read_number<std::uint64_t>(pool / "nr_hugepages").value_or(0),
                        read_number<std::uint64_t>(pool / "free_hugepages").value_or(0)});
  }
  return out;
}

std::vector<NumaNode> numa_nodes(const fs::path& root) {
  std::vector<NumaNode> nodes;
  for (const auto& [number, folder] : numbered(root / "sys/devices/system/node", "node"))
    nodes.push_back({number, parse_cpu_list(read_file(folder / "cpulist")), node_memory(folder)});
  return nodes;
}

std::optional<std::uint64_t> total_memory(const fs::path& root) {
  return read_field(root / "proc/meminfo", "MemTotal:");
}

std::string cpu_list(const std::vector<std::size_t>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ",";
    text += last == i ? compose("{}", cpus[i]) : compose("{}-{}", cpus[i], cpus[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace armature::machine
