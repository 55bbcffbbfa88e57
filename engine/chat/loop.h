#pragma once

#include "engine/chat/context.h"

namespace armature::chat {

/// The variable `loop`.
class Loop : public Object {
 public:
  /// `list`: what is walked, a list.
  explicit Loop(Value list) : list_(std::move(list)) {}

  const std::vector<Value>& items() const { return list_.as_list()->items(); }
  void set_turn(std::size_t index) { index_ = index; }

  std::string_view kind() const override { return "a loop"; }
  Value attribute(std::string_view name) const override;
  void release() override { list_ = Value(); }

 private:
  Value list_;
  std::size_t index_ = 0;
};

}  // namespace armature::chat
