#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "tests/support/tiny_model.h"

namespace armature::test {

inline constexpr std::size_t kTableVocab = 280;   // of byte_level_vocabulary()
inline constexpr std::size_t kTableHidden = 288;  // 9 heads of 32

/// Logits by (last token, next token).
using LogitTable = std::map<std::pair<int, int>, float>;

/// The logits that make each token of `path` the best one after the token before it.
LogitTable path_table(std::initializer_list<int> path);

/// A model whose logits after token t are L(t, ·), exactly but for rounding, whatever stands before it:
/// one-hot embeddings, blocks that add nothing, and L as output weights. Entries that are not named are
/// `other`. The vocabulary is byte_level_vocabulary("llama-bpe"), without BOS added. Weights are F32.
TinyModel table_model(const LogitTable& logits, float other = -20.0f, std::uint32_t n_ctx = 512);

/// A model that counts: attention is uniform over the visible tokens, so with n of N of them being j, the
/// logit of j is 1000 n / N, plus 1 if j is the last token, all times one positive factor.
TinyModel count_model(std::uint32_t n_ctx = 512);

}  // namespace armature::test
