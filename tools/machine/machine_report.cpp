#include "tools/machine/machine_report.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "engine/machine_files.h"
#include "gguf/compose.h"
#include "tools/cli/columns.h"
#include "tools/cli/units.h"

namespace armature::tools {
namespace {

using Json = nlohmann::ordered_json;
using machine::cpu_list;

constexpr std::string_view kArchitecture =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#else
    "other";
#endif

Json names_of(cpu::Features features) {
  Json names = Json::array();
  for (const cpu::Isa& isa : cpu::isas())
    if (isa.bit != cpu::kNone && cpu::has(features, isa.bit)) names.push_back(isa.name);
  return names;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
template <class T>
Json unless_zero(T value) {
  return value != 0 ? Json(value) : Json(nullptr);
}

Json cores_json(const MachineReport& r) {
  Json cores = Json::array();
  for (const machine::CoreKind& kind : r.cores)
    cores.push_back({{"name", kind.name}, {"count", kind.cpus.size()}, {"cpus", cpu_list(kind.cpus)}});
  return cores;
}

Json caches_json(const MachineReport& r) {
  Json caches = Json::array();
  for (const machine::Cache& c : r.caches)
    caches.push_back({{"level", c.level},
                      {"type", c.type},
                      {"size", c.bytes},
                      {"line", unless_zero(c.line)},
                      {"shared_by", unless_zero(c.shared_by)},
                      {"count", unless_zero(c.count)}});
  return caches;
}

Json pages_json(const MachineReport& r) {
  Json huge = Json::array();
  for (const machine::HugePages& h : r.pages.huge)
    huge.push_back({{"size", h.bytes}, {"total", h.total}, {"free", h.free}});
  return {{"size", or_null(r.process.page_bytes)},
          {"transparent", r.pages.transparent.empty() ? Json(nullptr) : Json(r.pages.transparent)},
          {"transparent_size", unless_zero(r.pages.transparent_bytes)},
          {"huge", huge}};
}

Json nodes_json(const MachineReport& r) {
  Json nodes = Json::array();
  for (const machine::NumaNode& n : r.nodes)
    nodes.push_back({{"node", n.number}, {"cpus", cpu_list(n.cpus)}, {"memory", unless_zero(n.bytes)}});
  return nodes;
}

Json memory_json(const MachineReport& r) {
  return {{"total", or_null(r.memory_total)},
          {"available", or_null(r.memory_available)},
          {"cgroup_left", or_null(r.cgroup_left)},
          {"address_space_limit", or_null(r.process.limits.address_space)},
          {"data_limit", or_null(r.process.limits.data)},
          {"lock_limit", or_null(r.process.limits.locked)}};
}

std::string features_text(const MachineReport& r) {
  const ProcessFacts& p = r.process;
  if (p.masked_by.empty()) return cpu::describe(p.used) + ", as detected";
  return compose("{}, by {}", cpu::describe(p.used), p.masked_by);
}

std::string cpus_text(const MachineReport& r) {
  const auto counted = [](const std::vector<std::size_t>& cpus, std::string_view what) {
    return compose("{} {} ({})", cpus.size(), what, cpu_list(cpus));
  };
  std::string text = counted(r.online_cpus, "online") + ", " + counted(r.process.allowed_cpus, "allowed");
  if (r.fast_cpus.size() < r.process.allowed_cpus.size())
    text += ", " + counted(r.fast_cpus, "of the fast class");
  if (r.quota) text += compose(", quota {}", fixed(*r.quota, 2));
  return text;
}

std::string cache_text(const machine::Cache& c) {
  std::string text = c.count > 0 ? compose("{} x ", c.count) : "";
  text += compose("L{} {}, {}", c.level, c.type, binary_size_text(c.bytes));
  if (c.line > 0) text += compose(", {}-byte lines", c.line);
  if (c.shared_by > 1) text += compose(", shared by {} CPUs", c.shared_by);
  return text;
}

std::string pages_text(const MachineReport& r) {
  std::string text = r.process.page_bytes ? binary_size_text(*r.process.page_bytes) : "size not known";
  if (!r.pages.transparent.empty()) {
    text += compose("; transparent huge pages: {}", r.pages.transparent);
    if (r.pages.transparent_bytes > 0) text += compose(" ({})", binary_size_text(r.pages.transparent_bytes));
  }
  for (const machine::HugePages& h : r.pages.huge) {
    if (h.total > 0)
      text += compose("; {} of {} pages of {} free", h.free, h.total, binary_size_text(h.bytes));
  }
  return text;
}

std::string memory_text(const MachineReport& r) {
  const auto size = [](const std::optional<std::uint64_t>& bytes) {
    return bytes ? size_text(*bytes) : std::string("not known");
  };
  std::string text = compose("total {}, available {}", size(r.memory_total), size(r.memory_available));
  const MemoryLimits& limits = r.process.limits;
  if (r.cgroup_left) text += compose("; the cgroup leaves {}", size(r.cgroup_left));
  if (limits.address_space) text += compose("; address space limited to {}", size(limits.address_space));
  if (limits.data) text += compose("; data limited to {}", size(limits.data));
  return text + (limits.locked ? compose("; up to {} can be locked", size(limits.locked)) : "");
}

/// Adds rows of which only the first has the label.
class Section {
 public:
  Section(Columns& columns, std::string label) : columns_(columns), label_(std::move(label)) {}
  void add(std::string text) { columns_.add({std::exchange(label_, {}), std::move(text)}); }

 private:
  Columns& columns_;
  std::string label_;
};

}  // namespace

MachineReport read_machine(const std::filesystem::path& root, const ProcessFacts& process) {
  MachineReport r;
  r.process = process;
  r.online_cpus = machine::online_cpus(root, process.allowed_cpus);
  r.cores = machine::core_kinds(root, r.online_cpus, process.identity);
  r.fast_cpus = machine::fast_cpus(root, process.allowed_cpus);
  r.quota = machine::cpu_quota(root);
  r.threads = machine::choose_threads(root, process.allowed_cpus);
  r.caches = machine::caches(root, r.online_cpus);
  if (r.caches.empty()) r.caches = process.caches;
  r.pages = machine::pages(root);
  r.nodes = machine::numa_nodes(root);
  r.memory_total = machine::total_memory(root);
  const std::uint64_t available = machine::available_memory(root, process.limits);
  if (available != std::numeric_limits<std::uint64_t>::max()) r.memory_available = available;
  r.cgroup_left = machine::cgroup_memory_left(root);
  // Where there is no limit, the first version of cgroups states one near 2^63.
  if (r.cgroup_left && r.memory_total && *r.cgroup_left >= *r.memory_total) r.cgroup_left.reset();
  return r;
}

std::string to_json(const MachineReport& r) {
  Json json;
  json["architecture"] = kArchitecture;
  json["model"] = r.cores.empty() ? Json(nullptr) : Json(r.cores.front().name);
  json["cores"] = cores_json(r);
  json["features"] = names_of(r.process.detected);
  json["features_used"] = names_of(r.process.used);
  json["features_masked_by"] = r.process.masked_by.empty() ? Json(nullptr) : Json(r.process.masked_by);
  json["sve_bits"] = r.process.sve_bits;
  json["cpus"] = {{"online", r.online_cpus.size()},
                  {"online_list", cpu_list(r.online_cpus)},
                  {"allowed", r.process.allowed_cpus.size()},
                  {"allowed_list", cpu_list(r.process.allowed_cpus)},
                  {"fast", r.fast_cpus.size()},
                  {"fast_list", cpu_list(r.fast_cpus)},
                  {"quota", or_null(r.quota)}};
  json["threads"] = r.threads.n_threads;
  json["threads_reason"] = r.threads.reason;
  json["caches"] = caches_json(r);
  json["pages"] = pages_json(r);
  json["numa_nodes"] = nodes_json(r);
  json["memory"] = memory_json(r);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_text(const MachineReport& r) {
  Columns columns("ll");
  Section cores(columns, "cores");
  for (const machine::CoreKind& kind : r.cores)
    cores.add(compose("{} x {} (CPUs {})", kind.cpus.size(), kind.name, cpu_list(kind.cpus)));
  Section features(columns, "features");
  features.add(cpu::describe(r.process.detected));
  columns.add({"used", features_text(r)});
  if (r.process.sve_bits > 0) columns.add({"SVE", compose("{} bits", r.process.sve_bits)});
  columns.add({"CPUs", cpus_text(r)});
  columns.add({"threads", compose("{}: {}", r.threads.n_threads, r.threads.reason)});
  Section caches(columns, "caches");
  for (const machine::Cache& c : r.caches) caches.add(cache_text(c));
  columns.add({"pages", pages_text(r)});
  Section nodes(columns, "NUMA");
  for (const machine::NumaNode& n : r.nodes)
    nodes.add(compose("node {}: CPUs {}, {}", n.number, cpu_list(n.cpus),
                      n.bytes > 0 ? size_text(n.bytes) : "memory not known"));
  columns.add({"memory", memory_text(r)});
  return columns.text();
}

}  // namespace armature::tools
