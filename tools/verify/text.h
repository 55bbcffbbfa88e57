#pragma once

#include "engine/tokenizer/tokenizer.h"
#include "tools/verify/check.h"

namespace armature::tools::verify {

/// What must hold for every vocabulary: text comes back from its tokens, and control tokens are recognised.
void check_tokenizer(const Tokenizer& tokenizer, const Listener& listener);

}  // namespace armature::tools::verify
