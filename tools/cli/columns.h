#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace armature::tools {

/// Lines of text whose cells stand below each other, two spaces apart.
class Columns {
 public:
  /// A letter for each column: 'l' its cells begin below each other, 'r' they end so.
  explicit Columns(std::string_view alignment) : alignment_(alignment) {}

  /// No more cells than columns; what is missing at the end is empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  /// Wider cells do not move the columns behind them in other lines.
  static constexpr std::size_t kWidest = 64;
  /// The lines, each behind `indent` spaces and without spaces at its end. A character counts as one place.
  std::string text(std::size_t indent = 0) const;

 private:
  std::string_view alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace armature::tools
