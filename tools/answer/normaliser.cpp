#include "tools/answer/normaliser.h"

#include "engine/tokenizer/nfc.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/output.h"

namespace armature::tools {

Normaliser::Normaliser(const Arguments& args, const Tokenizer& tokenizer)
    : normalises_(args.is_on(Option::Nfc)),
      notes_(!normalises_ && tokenizer.expects_nfc() && nfc_is_available() &&
             !args.is_on(Option::LogDisable)) {
  if (!normalises_ || nfc_is_available()) return;
  throw Error(ErrorCode::bad_argument,
              compose("--nfc: this build was made without the library {}", kNfcLibrary));
}

std::string Normaliser::apply(std::string text) {
  if (normalises_) return to_nfc(text);
  if (notes_ && !is_nfc(text)) {
    write_stderr_line("note: ",
                      "the text is taken as it is; this model's own tokenizer would have normalised it to "
                      "NFC, as --nfc does");
    notes_ = false;
  }
  return text;
}

}  // namespace armature::tools
