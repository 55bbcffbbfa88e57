#pragma once

#include <string>
#include <string_view>

#include "tools/roof/machine_roofs.h"

namespace armature::tools::roof {

/// Counts up when what is measured, or how, changes.
inline constexpr int kMethod = 1;

/// Roofs, and of what.
struct RoofReport {
  std::string cpu_info, features, fingerprint;  // of the machine
  std::string threads_reason;                   // why the largest number of threads is what it is
  std::size_t cache_bytes = 0;                  // of last-level caches; 0: not known
  MachineRoofs roofs;
};

/// In one of the formats md, csv, json and jsonl, with line ends.
std::string to_text(const RoofReport& report, std::string_view format);

// One file each.
std::string markdown(const RoofReport& report);
std::string csv(const RoofReport& report);
std::string json_object(const RoofReport& report);
std::string json_lines(const RoofReport& report);

// What the formats share.
inline constexpr double kGiga = 1e9;
inline constexpr double kOperations = 2;       // of a multiply-add
std::string pages_of(const ReadEntry& entry);  // "4 KiB"; "huge" where there are none
/// Up to how many tokens in a pass reading weights of Q4_0 takes longer than their int8 products, by the
/// highest roofs of the two, in ordinary pages; nothing if one of them is not known.
std::optional<double> tokens_read_bound(const MachineRoofs& roofs);

}  // namespace armature::tools::roof
