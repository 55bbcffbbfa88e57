#include "engine/chat/loop.h"

namespace armature::chat {

Value Loop::attribute(std::string_view name) const {
  const auto number = [](std::size_t n) { return Value(static_cast<std::int64_t>(n)); };
  if (index_ >= items().size()) return {};
  const std::size_t n_left = items().size() - index_;  // this turn included
  if (name == "index") return number(index_ + 1);
  if (name == "index0") return number(index_);
  if (name == "revindex") return number(n_left);
  if (name == "revindex0") return number(n_left - 1);
  if (name == "first") return Value(index_ == 0);
  if (name == "last") return Value(n_left == 1);
  if (name == "length") return number(items().size());
  // These count the turns of recursive loops within each other, not loops within loops.
  if (name == "depth") return number(1);
  if (name == "depth0") return number(0);
  if (name == "previtem" && index_ > 0) return items()[index_ - 1];
  if (name == "nextitem" && n_left > 1) return items()[index_ + 1];
  return {};
}

}  // namespace armature::chat
