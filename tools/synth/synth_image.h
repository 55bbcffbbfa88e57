#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/lazy_memory.h"
#include "tools/synth/synth_model.h"

namespace armature::tools::synth {

/// The bytes of a synthetic model's file in anonymous memory, for Model::load(bytes(), name()). Movable; the
/// bytes stay where they are until destruction.
class SynthImage {
 public:
  /// Throws Error out_of_memory, before anything is made, and Interrupted.
  explicit SynthImage(const SynthModel& model);

  std::span<const std::byte> bytes() const { return {memory_.data(), memory_.size()}; }
  const std::string& name() const { return name_; }  // "synthetic llama-3-8b Q4_0"

 private:
  std::string name_;
  LazyMemory memory_;
};

}  // namespace armature::tools::synth
