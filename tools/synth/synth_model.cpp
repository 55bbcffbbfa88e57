#include "tools/synth/synth_model.h"

#include <array>
#include <numeric>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "gguf/writer.h"
#include "tools/cli/flags.h"
#include "tools/cli/values.h"
#include "tools/synth/vocabulary.h"
#include "tools/synth/weight_source.h"
#include "tools/synth/weight_types.h"

namespace armature::tools::synth {
namespace {

constexpr std::uint64_t kAlignment = 32;

std::string describe(const Choice& choice) {
  const Shape& shape = *choice.shape;
  const std::string layers =
      choice.n_layer == shape.n_layer ? "" : compose(", {} of {} layers", choice.n_layer, shape.n_layer);
  return compose("{} {}{}", shape.name, gguf::type_info(choice.type).name, layers);
}

std::vector<std::string> substitution_notes(const Choice& choice, const std::vector<Tensor>& tensors) {
  std::vector<std::string> lines;
  for (const Substitution& s : substitutions(*choice.shape, choice.type, tensors)) {
    const gguf::TypeInfo& wanted = gguf::type_info(s.wanted);
    lines.push_back(
        compose("rows of {} weights are no whole blocks of {} ({} weights): {} in its place, {} {}",
                s.columns, wanted.name, wanted.block_size, gguf::type_info(s.used).name, s.n_tensors,
                s.n_tensors == 1 ? "tensor" : "tensors"));
  }
  return lines;
}

void add_general(gguf::Writer& writer, const Choice& choice, const std::string& name) {
  writer.add("general.architecture", choice.shape->architecture);
  writer.add("general.name", compose("Synthetic {}: random weights", name));
  writer.add("general.file_type", weight_type(choice.type).file_type);
  writer.add("general.quantization_version", std::uint32_t{2});
  writer.add("armature.synth.shape", choice.shape->name);
  writer.add("armature.synth.seed", kSeed);
}

/// The hyperparameters, in keys of the architecture.
class Hyperparameters {
 public:
  Hyperparameters(gguf::Writer& writer, const Shape& shape) : writer_(writer), s_(shape) {}

  void add_all(std::uint32_t n_layer) {
    add("vocab_size", s_.n_vocab);
    add("context_length", s_.n_ctx);
    add("embedding_length", s_.n_embd);
    add("block_count", n_layer);
    add("feed_forward_length", s_.n_ff);
    add("attention.head_count", s_.n_head);
    add("attention.head_count_kv", s_.n_head_kv);
    add("attention.key_length", s_.head_dim);
    add("attention.value_length", s_.head_dim);
    add("attention.layer_norm_rms_epsilon", s_.norm_eps);
    if (s_.n_swa != 0) add("attention.sliding_window", s_.n_swa);
    add_if_set("attn_logit_softcapping", s_.attn_softcap);
    add_if_set("final_logit_softcapping", s_.final_softcap);
    add_rope();
  }

 private:
  void add_rope() {
    add("rope.dimension_count", s_.head_dim);
    add("rope.freq_base", s_.rope_base);
    add_if_set("rope.freq_base_swa", s_.rope_base_swa);
    if (s_.rope_linear != 0) writer_.add(key("rope.scaling.type"), "linear");
    add_if_set("rope.scaling.factor", s_.rope_linear);
    if (s_.architecture == "phi3") add("rope.scaling.original_context_length", s_.n_ctx);
  }

  std::string key(std::string_view name) const { return compose("{}.{}", s_.architecture, name); }
  void add(std::string_view name, std::uint32_t value) { writer_.add(key(name), value); }
  void add(std::string_view name, double value) { writer_.add(key(name), static_cast<float>(value)); }
  void add_if_set(std::string_view name, double value) {
    if (value != 0) add(name, value);
  }

  gguf::Writer& writer_;
  const Shape& s_;
};

}  // namespace

Choice parse_choice(std::string_view text) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) {
    throw UsageError(
        compose("synthetic model {}: SHAPE:TYPE is needed, such as llama-3-8b:Q4_0", quote(text)));
  }
  const std::size_t second = text.find(':', first + 1);
  const Shape& shape = find_shape(text.substr(0, first));
  Choice choice = {&shape, find_weight_type(text.substr(first + 1, second - first - 1)).type, shape.n_layer};
  if (second != std::string_view::npos) {
    const auto n = parse_number<std::uint32_t>(text.substr(second + 1));
    if (!n || *n < 1 || *n > kMaxLayers) {
      throw UsageError(compose("synthetic model {}: layers {}; allowed: 1 to {}", quote(text),
                               quote(text.substr(second + 1)), kMaxLayers));
    }
    choice.n_layer = *n;
  }
  return choice;
}

SynthModel::SynthModel(const Choice& choice)
    : choice_(choice),
      name_(describe(choice)),
      tensors_(list_tensors(*choice.shape, choice.type, choice.n_layer)),
      notes_(substitution_notes(choice, tensors_)) {
  gguf::Writer writer(3, kAlignment);
  add_general(writer, choice, name_);
  Hyperparameters(writer, *choice.shape).add_all(choice.n_layer);
  add_vocabulary(writer, *choice.shape);
  for (const Tensor& tensor : tensors_) {
    writer.declare_tensor(tensor.name, tensor.shape, tensor.type, tensor.bytes());
    size_ += writer.aligned(tensor.bytes());
  }
  head_ = writer.head();
  size_ += head_.size();
}

std::uint64_t SynthModel::n_weights() const {
  return std::accumulate(tensors_.begin(), tensors_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Tensor& tensor) { return sum + tensor.count(); });
}

bool SynthModel::write(const Sink& sink) const {
  static constexpr std::array<std::byte, kAlignment> kZeros{};
  WeightSource source(*choice_.shape);
  if (!sink(head_)) return false;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!source.write(tensors_[i], i, sink)) return false;
    const std::size_t rest = tensors_[i].bytes() % kAlignment;
    if (rest != 0 && !sink(std::span(kZeros).first(kAlignment - rest))) return false;
  }
  return true;
}

}  // namespace armature::tools::synth
