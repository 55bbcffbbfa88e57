#include "tests/support/table_model.h"

#include <cmath>
#include <vector>

#include "tests/support/vocabularies.h"

namespace armature::test {
namespace {

using Matrix = std::vector<float>;

Matrix diagonal(std::size_t rows, std::size_t columns, float value) {
  Matrix m(rows * columns, 0.0f);
  for (std::size_t i = 0; i < std::min(rows, columns); ++i) m[i * columns + i] = value;
  return m;
}

/// Undoes what RMS norm does to a one-hot row of kTableHidden.
Matrix one_hot_norm() {
  return Matrix(kTableHidden, std::sqrt(1.0f / static_cast<float>(kTableHidden) + 1e-5f));
}

void set_vocabulary(TinyModel& model) {
  const TestVocabulary v = byte_level_vocabulary("llama-bpe");
  model.erase_key("tokenizer.ggml.scores").erase_key("tokenizer.ggml.unknown_token_id");
  model.erase_key("tokenizer.ggml.add_space_prefix");
  model.set("tokenizer.ggml.model", v.model).set("tokenizer.ggml.pre", v.pre);
  model.set("tokenizer.ggml.tokens", v.tokens).set("tokenizer.ggml.token_type", v.types);
  model.set("tokenizer.ggml.merges", v.merges);
  model.set("tokenizer.ggml.bos_token_id", *v.bos).set("tokenizer.ggml.eos_token_id", *v.eos);
  model.set("tokenizer.ggml.eot_token_id", *v.eot).set("tokenizer.ggml.add_bos_token", false);
}

/// One block with one-hot embeddings; attention output and FFN add nothing.
TinyModel one_hot_model(std::uint32_t n_ctx) {
  TinyModel model({.n_layer = 1,
                   .n_embd = kTableHidden,
                   .n_head = 9,
                   .n_head_kv = 9,
                   .n_ff = 32,
                   .n_ctx = n_ctx,
                   .n_vocab = kTableVocab});
  set_vocabulary(model);
  model.set_weights("token_embd.weight", diagonal(kTableVocab, kTableHidden, 1.0f));
  model.set_weights("blk.0.attn_output.weight", Matrix(kTableHidden * kTableHidden, 0.0f));
  model.set_weights("blk.0.ffn_down.weight", Matrix(kTableHidden * 32, 0.0f));
  return model;
}

}  // namespace

LogitTable path_table(std::initializer_list<int> path) {
  LogitTable table;
  for (const int* at = path.begin(); at + 1 < path.end(); ++at) table[{at[0], at[1]}] = 5.0f;
  return table;
}

TinyModel table_model(const LogitTable& logits, float other, std::uint32_t n_ctx) {
  TinyModel model = one_hot_model(n_ctx);
  Matrix output(kTableVocab * kTableHidden, other);
  for (const auto& [at, logit] : logits)
    output[static_cast<std::size_t>(at.second) * kTableHidden + static_cast<std::size_t>(at.first)] = logit;
  model.set_weights("output.weight", output);
  model.set_weights("output_norm.weight", one_hot_norm());
  return model;
}

TinyModel count_model(std::uint32_t n_ctx) {
  TinyModel model = one_hot_model(n_ctx);
  const std::size_t square = kTableHidden * kTableHidden;
  model.set_weights("blk.0.attn_norm.weight", one_hot_norm());
  model.set_weights("blk.0.attn_q.weight", Matrix(square, 0.0f));
  model.set_weights("blk.0.attn_k.weight", Matrix(square, 0.0f));
  model.set_weights("blk.0.attn_v.weight", diagonal(kTableHidden, kTableHidden, 1.0f));
  model.set_weights("blk.0.attn_output.weight", diagonal(kTableHidden, kTableHidden, 1000.0f));
  model.set_weights("output.weight", diagonal(kTableVocab, kTableHidden, 1.0f));
  model.set_weights("output_norm.weight", Matrix(kTableHidden, 1.0f));
  return model;
}

}  // namespace armature::test
