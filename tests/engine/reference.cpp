#include "tests/engine/reference.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

namespace armature::test {

std::string data_path(const std::string& name) { return ARMATURE_TEST_DATA + name; }
bool has_data(const std::string& name) { return std::filesystem::exists(data_path(name)); }

nlohmann::json read_json(const std::string& name) {
  std::ifstream in(data_path(name));
  return nlohmann::json::parse(in);
}

std::vector<nlohmann::json> read_json_lines(const std::string& name) {
  std::ifstream in(data_path(name));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

template <class T>
std::vector<T> read_array(const std::string& name) {
  std::ifstream in(data_path(name), std::ios::binary | std::ios::ate);
  if (!in) throw std::runtime_error("cannot open " + name);
  std::vector<T> values(static_cast<std::size_t>(in.tellg()) / sizeof(T));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}
template std::vector<float> read_array(const std::string&);
template std::vector<double> read_array(const std::string&);

namespace {

/// The rows that a feature set leads to, in words: sets with the same rows run the same code.
std::string rows_of(cpu::Features features) {
  std::string names;
  for (const kernels::DequantizeRow& row : kernels::dequantize_rows()) {
    if (row.needs != cpu::kNone) continue;
    names += std::string(kernels::choose_matmul(row.weights, features).name) + ' ';
    names += std::string(kernels::choose_panel(row.weights, features).name) + ' ';
  }
  names += kernels::choose_attention(gguf::TensorType::F16, gguf::TensorType::F16, features).name;
  return names;
}

}  // namespace

std::vector<Level> levels() {
  std::vector<Level> result;
  const cpu::Features have = cpu::detect();
  std::set<std::string> seen;
  for (const cpu::Isa& isa : cpu::isas()) {
    if (!cpu::has(have, isa.bit)) continue;
    const cpu::Features features = cpu::mask(isa.name, have);
    if (seen.insert(rows_of(features)).second) result.push_back({std::string(isa.name), features});
  }
  return result;
}

std::vector<TokenId> to_tokens(const nlohmann::json& ids) {
  std::vector<TokenId> tokens;
  for (const auto& id : ids) tokens.push_back(static_cast<TokenId>(id.get<int>()));
  return tokens;
}

std::vector<float> all_logits(Decoder& decoder, std::span<const TokenId> tokens) {
  Sequence sequence = decoder.new_sequence();
  std::vector<float> logits;
  for (std::size_t first = 0; first < tokens.size();) {
    Batch batch;
    const std::size_t n = std::min(decoder.options().n_ubatch, tokens.size() - first);
    for (std::size_t i = 0; i < n; ++i) batch.push_back({tokens[first + i], &sequence, true});
    decoder.forward(batch);
    for (std::size_t i = 0; i < n; ++i)
      logits.insert(logits.end(), decoder.logits(i).begin(), decoder.logits(i).end());
    first += n;
  }
  return logits;
}

std::vector<float> all_logits(const std::shared_ptr<const Model>& model, const DecoderOptions& options,
                              std::span<const TokenId> tokens) {
  Decoder decoder(model, options);
  return all_logits(decoder, tokens);
}

bool rounds_activations(const Model& model, Regime regime) {
  bool rounded = form_of(model.weights().output, regime) != kernels::Form::F32;
  for (const LayerWeights& w : model.weights().layers) {
    for (const Matrix* m :
         {&w.attn_q, &w.attn_k, &w.attn_v, &w.attn_output, &w.ffn_gate, &w.ffn_up, &w.ffn_down}) {
      rounded |= form_of(*m, regime) != kernels::Form::F32;
    }
  }
  return rounded;
}

bool runs_slowly() {
#ifdef ARMATURE_SLOW_RUN
  return true;
#else
  return false;
#endif
}

TokenId best(std::span<const float> logits) {
  return static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

}  // namespace armature::test
