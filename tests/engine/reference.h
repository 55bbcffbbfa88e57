#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/decoder.h"
#include "engine/linear.h"

/// Reference data: models and results of other implementations, where they are there.
namespace armature::test {

/// The path of a file of the reference data, e.g. "/vectors/arch/llama-plain.gguf".
std::string data_path(const std::string& name);
bool has_data(const std::string& name);
nlohmann::json read_json(const std::string& name);
std::vector<nlohmann::json> read_json_lines(const std::string& name);
template <class T>
std::vector<T> read_array(const std::string& name);

/// The feature sets of this machine that run different kernels, from scalar to all of it, by their names for
/// --isa.
struct Level {
  std::string name;
  cpu::Features features;
};
std::vector<Level> levels();

std::vector<TokenId> to_tokens(const nlohmann::json& ids);

/// Feeds tokens in passes of at most n_ubatch rows; returns the logits of all of them, [n_tokens, n_vocab].
std::vector<float> all_logits(Decoder& decoder, std::span<const TokenId> tokens);
/// The same for a decoder of its own with these options.
std::vector<float> all_logits(const std::shared_ptr<const Model>& model, const DecoderOptions& options,
                              std::span<const TokenId> tokens);

/// Whether a product of the model rounds its activations to 8 bits in this regime.
bool rounds_activations(const Model& model, Regime regime);

/// Whether this is an emulated or a sanitized build, where a step of a real model takes seconds.
bool runs_slowly();

TokenId best(std::span<const float> logits);

}  // namespace armature::test
