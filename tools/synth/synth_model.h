#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/types.h"
#include "tools/synth/shapes.h"
#include "tools/synth/tensor_list.h"

namespace armature::tools::synth {

/// Which model to make.
struct Choice {
  const Shape* shape;  // outlives the models made of it
  gguf::TensorType type;
  std::uint32_t n_layer;  // the shape's, or another number
};

/// The layers that models may have here.
inline constexpr std::uint32_t kMaxLayers = 1024;

/// "SHAPE:TYPE" or "SHAPE:TYPE:LAYERS". Throws UsageError.
Choice parse_choice(std::string_view text);

/// A GGUF file with the shape of a known model and random weights, of which every byte follows from the
/// choice. The file is never held as a whole; what is held is its head, some MB for large vocabularies.
class SynthModel {
 public:
  explicit SynthModel(const Choice& choice);

  const std::string& name() const { return name_; }  // "llama-3-8b Q4_0", "llama-3-8b Q4_0, 2 of 32 layers"
  std::uint64_t size() const { return size_; }       // bytes of the file
  std::size_t n_tensors() const { return tensors_.size(); }
  std::uint64_t n_weights() const;
  /// Printable lines about types in place of the one asked for.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Takes the next bytes of the file; false: no more are wanted.
  using Sink = std::function<bool(std::span<const std::byte>)>;
  /// Gives the file to `sink` in pieces of up to a few MB. False where it wanted no more.
  bool write(const Sink& sink) const;

 private:
  Choice choice_;
  std::string name_;
  std::vector<Tensor> tensors_;
  std::vector<std::string> notes_;
  std::vector<std::byte> head_;
  std::uint64_t size_ = 0;
};

}  // namespace armature::tools::synth
