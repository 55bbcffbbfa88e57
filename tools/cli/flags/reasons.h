#pragma once

#include <string_view>

/// Why flags are ignored, refused or limited, where rows of several files say the same.
namespace armature::tools {

inline constexpr std::string_view kGpu = "there is no GPU to place anything on";
inline constexpr std::string_view kCacheTypes = "no kernel here reads a quantized or bf16 cache";
inline constexpr std::string_view kOneMachine = "a model runs on this machine alone";
inline constexpr std::string_view kOneDevice = "the CPU is the only device; armature cpu describes it";
inline constexpr std::string_view kNoDownload = "nothing is ever downloaded";
inline constexpr std::string_view kDownload =
    "nothing is downloaded; fetch the file yourself, e.g. with `hf download USER/REPO FILE.gguf --local-dir "
    ".` "
    "or `curl -LO https://huggingface.co/USER/REPO/resolve/main/FILE.gguf`, and give it with -m FILE.gguf";

}  // namespace armature::tools
