#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace armature::tools {

/// Cuts a text, which comes in pieces, before the first of some stop strings. Bytes that may still turn out
/// to belong to one are held back. The first stop string to be complete decides (of several that end at one
/// byte the longest), so how the text was cut into pieces makes no difference.
class StopStrings {
 public:
  /// Empty strings are left out. With none nothing is ever held back.
  explicit StopStrings(std::span<const std::string> strings);

  /// Appends to `shown` what can be shown with these bytes. True: a stop string is complete; it and what
  /// follows are dropped, and push() must not be called again.
  bool push(std::string_view bytes, std::string& shown);
  /// The text ended without a stop string: appends what was held back.
  void flush(std::string& shown);

 private:
  /// One string, matched as Knuth, Morris and Pratt do.
  struct Matcher {
    std::string text;
    std::vector<std::size_t> border;  // of the first i + 1 bytes: their longest proper prefix that ends them
    std::size_t matched = 0;          // bytes of `text` that end what was pushed
    void step(char byte);
  };

  std::vector<Matcher> matchers_;
  std::string held_;
};

}  // namespace armature::tools
