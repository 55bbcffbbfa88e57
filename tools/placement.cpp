#include "tools/placement.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "engine/machine.h"
#include "engine/machine_hardware.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/values.h"

namespace armature::tools {
namespace {

constexpr std::size_t kMaxCpu = 1 << 16;  // larger numbers are no CPUs

/// The flags of one kind of pass.
struct Flags {
  Option mask, range, strict, poll;
};
constexpr Flags kFewRows = {Option::CpuMask, Option::CpuRange, Option::CpuStrict, Option::Poll};
constexpr Flags kPrompt = {Option::CpuMaskBatch, Option::CpuRangeBatch, Option::CpuStrictBatch,
                           Option::PollBatch};

// What chooses CPUs.
constexpr std::array kChoosing = {Option::CpuMask, Option::CpuRange, Option::CpuMaskBatch,
                                  Option::CpuRangeBatch, Option::Numa};

CpuList both(const CpuList& a, const CpuList& b) {
  CpuList out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

UsageError malformed(std::string_view flag, std::string_view value, std::string_view allowed) {
  return UsageError(compose("{}: value {}; allowed: {}", flag, quote(value), allowed));
}

/// The CPUs of a mask and a range together; empty without both.
CpuList chosen_cpus(const Arguments& args, const Flags& flags, const CpuList& allowed) {
  std::set<std::size_t> cpus;
  const auto add = [&](Option option, const CpuList& list, std::string_view form) {
    if (list.empty()) throw malformed(args.name_of(option), args.text(option), form);
    require_allowed(list, args.name_of(option), allowed);
    cpus.insert(list.begin(), list.end());
  };
  if (args.is_given(flags.mask))
    add(flags.mask, parse_cpu_mask(args.text(flags.mask)),
        "a hexadecimal mask with a bit set, e.g. 3 or 0x3");
  if (args.is_given(flags.range))
    add(flags.range, parse_cpu_range(args.text(flags.range), allowed), "FIRST-LAST, e.g. 0-3, 2-2 or 2-");
  return {cpus.begin(), cpus.end()};
}

/// The CPUs of each node, where there are any.
std::vector<CpuList> by_node(const CpuList& cpus, const Machine& machine) {
  std::vector<CpuList> nodes;
  for (const CpuList& node : machine.nodes)
    if (CpuList part = both(cpus, node); !part.empty()) nodes.push_back(std::move(part));
  if (nodes.empty()) nodes.push_back(cpus);
  return nodes;
}

const CpuList& node_of(std::size_t cpu, const std::vector<CpuList>& nodes) {
  const auto found = std::find_if(nodes.begin(), nodes.end(), [cpu](const CpuList& node) {
    return std::find(node.begin(), node.end(), cpu) != node.end();
  });
  return found == nodes.end() ? nodes.front() : *found;
}

/// One CPU of each node in turn, until there are no more.
std::vector<CpuList> dealt(const std::vector<CpuList>& nodes) {
  std::vector<CpuList> places;
  for (std::size_t i = 0, n = 1; n > 0; ++i) {
    n = 0;
    for (const CpuList& node : nodes) {
      if (i >= node.size()) continue;
      places.push_back({node[i]});
      ++n;
    }
  }
  return places;
}

CpuList all_of(const std::vector<CpuList>& places) {
  std::set<std::size_t> cpus;
  for (const CpuList& place : places) cpus.insert(place.begin(), place.end());
  return {cpus.begin(), cpus.end()};
}

std::string names_of(const Arguments& args, const Flags& flags, bool by_nodes) {
  std::string names;
  for (const Option option : {flags.mask, flags.range, Option::Numa}) {
    if (!args.is_given(option) || (option == Option::Numa && !by_nodes)) continue;
    names += compose("{}{}", names.empty() ? "" : ", ", args.name_of(option));
  }
  return names;
}

bool is_strict(const Arguments& args, bool prompt) {
  const bool own = prompt && args.is_given(Option::CpuStrictBatch);
  return args.text(own ? Option::CpuStrictBatch : Option::CpuStrict) == "1";
}

std::size_t poll_of(const Arguments& args, bool prompt) {
  const bool own = prompt && args.is_given(Option::PollBatch);
  return static_cast<std::size_t>(args.integer(own ? Option::PollBatch : Option::Poll));
}

}  // namespace

CpuList parse_cpu_mask(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  CpuList cpus;
  if (text.size() > kMaxCpu / 4) return cpus;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned digit = 0;
    const char* at = text.data() + text.size() - 1 - i;
    const auto [end, error] = std::from_chars(at, at + 1, digit, 16);
    if (error != std::errc() || end != at + 1) return {};
    for (std::size_t bit = 0; bit < 4; ++bit)
      if ((digit >> bit & 1) != 0) cpus.push_back(4 * i + bit);
  }
  return cpus;
}

CpuList parse_cpu_range(std::string_view text, const CpuList& allowed) {
  const std::size_t dash = text.find('-');
  if (dash == text.npos || text.size() == 1) return {};
  const auto end = [](std::string_view part, std::size_t otherwise) {
    return part.empty() ? std::optional(otherwise) : parse_number<std::size_t>(part);
  };
  const auto first = end(text.substr(0, dash), allowed.front());
  const auto last = end(text.substr(dash + 1), allowed.back());
  if (!first || !last || *first > kMaxCpu || *last > kMaxCpu) return {};
  CpuList cpus;
  for (std::size_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  return cpus;
}

Machine this_machine() {
  Machine machine;
  machine.allowed = allowed_cpus();
  for (const machine::NumaNode& node : machine::numa_nodes("/"))
    if (!node.cpus.empty()) machine.nodes.push_back(node.cpus);
  machine.current = static_cast<std::size_t>(std::max(0, ::sched_getcpu()));
  return machine;
}

void require_allowed(const CpuList& cpus, std::string_view flag, const CpuList& allowed) {
  for (const std::size_t cpu : cpus) {
    if (std::binary_search(allowed.begin(), allowed.end(), cpu)) continue;
    throw UsageError(compose("{}: CPU {}; allowed: {}", flag, cpu, machine::cpu_list(allowed)));
  }
}

std::vector<CpuList> places_of(const CpuList& cpus, std::string_view numa, bool strict,
                               const Machine& machine) {
  std::vector<CpuList> groups = {cpus};  // one for each node, where NUMA is to be minded
  if (numa == "distribute") groups = by_node(cpus, machine);
  if (numa == "isolate") groups = {node_of(machine.current, by_node(cpus, machine))};
  return strict ? dealt(groups) : groups;
}

Placement choose_placement(const Arguments& args, const Machine& machine, bool prompt) {
  Placement out;
  out.threads.poll = poll_of(args, prompt);
  const bool own = prompt && (args.is_given(Option::CpuMaskBatch) || args.is_given(Option::CpuRangeBatch));
  const Flags& flags = own ? kPrompt : kFewRows;
  CpuList cpus = chosen_cpus(args, flags, machine.allowed);
  out.by_number = !cpus.empty();
  const std::string_view numa = machine.nodes.size() > 1 ? args.text(Option::Numa) : "";
  if (cpus.empty() && numa != "distribute" && numa != "isolate") return out;
  if (cpus.empty()) cpus = machine.allowed;
  out.threads.places = places_of(cpus, numa, is_strict(args, prompt), machine);
  out.cpus = all_of(out.threads.places);
  out.chosen = names_of(args, flags, !numa.empty());
  return out;
}

std::vector<std::string> placement_notes(const Arguments& args, const Machine& machine) {
  std::vector<std::string> notes;
  if (args.is_given(Option::Numa) && machine.nodes.size() < 2)
    notes.push_back(
        compose("{} makes no difference: this machine has one NUMA node", args.name_of(Option::Numa)));
  const bool chosen =
      std::any_of(kChoosing.begin(), kChoosing.end(), [&](Option o) { return args.is_given(o); });
  if (!chosen && (is_strict(args, false) || is_strict(args, true)))
    notes.push_back("--cpu-strict has no effect without CPUs to place threads on (-C, -Cr)");
  return notes;
}

}  // namespace armature::tools
