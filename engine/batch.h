#pragma once

#include <vector>

#include "engine/sequence.h"
#include "engine/token.h"

namespace armature {

/// The rows of one forward pass. Rows of different sequences may be mixed; those of one sequence follow each
/// other in position, from its present size on.
struct BatchRow {
  TokenId token;
  Sequence* sequence;
  bool wants_logits;
};
using Batch = std::vector<BatchRow>;

}  // namespace armature
