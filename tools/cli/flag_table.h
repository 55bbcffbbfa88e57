#pragma once

#include <span>

#include "tools/cli/flags.h"

/// The rows of flag_table(), one file of flags/ per group. Names and defaults of options that others have too
/// are those of llama.cpp in 2026.
namespace armature::tools {

inline constexpr LlamaFlag kLlamaCommon = {LlamaSection::Common, 2025, 2026};
inline constexpr LlamaFlag kLlamaSampling = {LlamaSection::Sampling, 2025, 2026};
inline constexpr LlamaFlag kLlamaCli = {LlamaSection::Cli, 2025, 2026};
// Without those that came, or went, in one of the two years.
inline constexpr LlamaFlag kLlamaCommon2025 = {LlamaSection::Common, 2025, 2025};
inline constexpr LlamaFlag kLlamaCommon2026 = {LlamaSection::Common, 2026, 2026};
inline constexpr LlamaFlag kLlamaSampling2026 = {LlamaSection::Sampling, 2026, 2026};
inline constexpr LlamaFlag kLlamaCli2026 = {LlamaSection::Cli, 2026, 2026};

std::span<const Flag> input_flags();
std::span<const Flag> tokenize_flags();
std::span<const Flag> answer_flags();
std::span<const Flag> sampling_flags();
std::span<const Flag> context_flags();
std::span<const Flag> machine_flags();
std::span<const Flag> placement_flags();
std::span<const Flag> output_flags();
std::span<const Flag> rope_flags();
std::span<const Flag> thinking_flags();
std::span<const Flag> synth_flags();
std::span<const Flag> perplexity_flags();
std::span<const Flag> bench_flags();
std::span<const Flag> bench_other_flags();
std::span<const Flag> batched_bench_flags();
std::span<const Flag> ignored_flags();
std::span<const Flag> ignored_draft_flags();
std::span<const Flag> refused_flags();
std::span<const Flag> refused_sampling_flags();

}  // namespace armature::tools
