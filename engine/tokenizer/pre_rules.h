#pragma once

#include <span>
#include <string>
#include <string_view>

namespace armature {

struct PreTraits {
  bool whole_piece_first = false;         // a piece that is a token is taken without merging
  bool add_bos_if_key_is_absent = false;  // `tokenizer.ggml.add_bos_token`
  bool expects_nfc = false;               // the publisher's tokenizer normalises text to NFC first
};

/// How a byte-level BPE vocabulary cuts text into pieces before merging: what a value of `tokenizer.ggml.pre`
/// stands for.
struct PreRule {
  std::string_view name;
  /// Patterns (see Pattern) that run one after the other, each on the pieces that the one before left:
  /// matches and what lies between them become pieces.
  std::span<const std::string_view> steps;
  PreTraits traits = {};
};

/// All rules that are known; several names may stand for one rule.
std::span<const PreRule> pre_rules();
const PreRule* find_pre_rule(std::string_view name);  // null if not known
std::string known_pre_names();                        // "gpt-2, phi-2, ..."

}  // namespace armature
