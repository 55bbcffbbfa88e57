#pragma once

#include "engine/chat/context.h"

namespace armature::chat {

/// The variable `loop`.
class Loop : public Object {
 public:
  /// `list`: what is walked, a list. `depth`: 1 for a loop that is in no other.
  Loop(Value list, std::size_t depth) : list_(std::move(list)), depth_(depth) {}

  const std::vector<Value>& items() const { return list_.as_list()->items(); }
  void set_turn(std::size_t index) { index_ = index; }

  std::string_view kind() const override { return "a loop"; }
  Value attribute(std::string_view name) const override;
  void release() override { list_ = Value(); }

 private:
  Value list_;
  std::size_t index_ = 0;
  std::size_t depth_;
};

}  // namespace armature::chat
