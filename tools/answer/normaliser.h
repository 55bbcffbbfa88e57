#pragma once

#include <string>

#include "engine/tokenizer/tokenizer.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// The user's texts on their way to the tokenizer: in NFC with --nfc, else as they are. The first that is not
/// in NFC although the model's own tokenizer would have normalised it makes a note on standard error; a build
/// without normalisation cannot tell.
class Normaliser {
 public:
  /// Throws Error bad_argument where --nfc is given and this build cannot normalise.
  Normaliser(const Arguments& args, const Tokenizer& tokenizer);

  std::string apply(std::string text);

 private:
  bool normalises_;
  bool notes_;  // there is still a note to be made
};

}  // namespace armature::tools
