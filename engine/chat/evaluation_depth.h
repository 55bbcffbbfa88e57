#pragma once

#include "engine/chat/context.h"

namespace armature::chat {

/// Bounds the stack that an evaluation takes: the nesting of what is evaluated, macros that call macros
/// included.
class EvaluationDepth {
 public:
  EvaluationDepth(const Context& context, std::size_t& depth) : depth_(depth) {
    if (depth == kMaxDepth)
      context.fail("macros and expressions nested deeper than " + std::to_string(kMaxDepth));
    ++depth;
  }
  ~EvaluationDepth() { --depth_; }
  EvaluationDepth(const EvaluationDepth&) = delete;
  EvaluationDepth& operator=(const EvaluationDepth&) = delete;

 private:
  static constexpr std::size_t kMaxDepth = 512;

  std::size_t& depth_;
};

}  // namespace armature::chat
