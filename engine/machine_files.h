#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machine.h"

/// What machine.h reads from /proc and /sys. `root` stands for "/", so that tests can lay out a machine of
/// their own; a file that is missing or malformed is as if the kernel had nothing to say.
namespace armature::machine {

/// The numbers of a kernel CPU list such as "0-3,8,10-11", ascending; empty when malformed.
std::vector<std::size_t> parse_cpu_list(std::string_view text);

/// A cgroup of this process: its own, or one above it.
struct CgroupFolder {
  std::filesystem::path path;  // below root
  bool v2 = false;
};
/// In each hierarchy that has the controller, or might (v2), from the process's own upwards.
std::vector<CgroupFolder> cgroup_folders(const std::filesystem::path& root, std::string_view controller);

/// Smallest CPU quota, in CPUs, of this process's cgroup and those above it: cpu.max (v2) or
/// cpu.cfs_quota_us / cpu.cfs_period_us (v1).
std::optional<double> cpu_quota(const std::filesystem::path& root);

/// Those of `allowed` that are not of a slower class: x86 performance cores where any is allowed; on Arm the
/// CPUs with more than 3/5 of the largest cpu_capacity. All of them where the cores are alike.
std::vector<std::size_t> fast_cpus(const std::filesystem::path& root,
                                   const std::vector<std::size_t>& allowed);

/// `allowed` is not empty.
ThreadChoice choose_threads(const std::filesystem::path& root, const std::vector<std::size_t>& allowed);

/// Smallest number of bytes that the memory limits of this process's cgroup and those above it leave: the
/// limit less what is used, where file pages not lately used do not count as used.
std::optional<std::uint64_t> cgroup_memory_left(const std::filesystem::path& root);

/// See machine.h.
std::uint64_t available_memory(const std::filesystem::path& root, const MemoryLimits& limits = {});
std::uint64_t peak_rss(const std::filesystem::path& root);

}  // namespace armature::machine
