#include "tools/synth/synth_image.h"

#include <cstring>

#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/signals.h"
#include "tools/cli/units.h"

namespace armature::tools::synth {
namespace {

LazyMemory reserve(const SynthModel& model, const std::string& name) {
  const std::size_t available = available_memory();
  if (model.size() > available) {
    throw Error(ErrorCode::out_of_memory, {name, {}, {}},
                compose("{} of memory are needed, {} are available; fewer layers need less",
                        size_text(model.size()), size_text(available)));
  }
  return LazyMemory(static_cast<std::size_t>(model.size()), "synthetic model");
}

}  // namespace

SynthImage::SynthImage(const SynthModel& model)
    : name_(compose("synthetic {}", model.name())), memory_(reserve(model, name_)) {
  std::byte* end = memory_.data();
  const bool done = model.write([&end](std::span<const std::byte> bytes) {
    std::memcpy(end, bytes.data(), bytes.size());
    end += bytes.size();
    return !interrupted();
  });
  if (!done) throw Interrupted();
}

}  // namespace armature::tools::synth
