#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/chat/template.h"
#include "engine/model.h"

namespace armature::tools {

/// The model of a saved chat, to tell it from others.
struct ModelIdentity {
  std::string name;  // general.name, else the name of the file; U+FFFD for what is not UTF-8
  std::string architecture;
  std::uint64_t bytes = 0;

  static ModelIdentity of(const Model& model);
  friend bool operator==(const ModelIdentity&, const ModelIdentity&) = default;
};

/// A chat in a file: JSON with `format` ("armature chat"), `version` (1), `model`, and `messages`, a list of
/// objects with role and content; where that is not UTF-8, with U+FFFD for what is not, and all of its bytes,
/// as numbers, in `bytes`.
struct SavedChat {
  ModelIdentity model;
  std::vector<chat::Message> messages;
  std::vector<std::string> left_out = {};  // other fields that messages in the file have, each once
};

std::string to_json(const SavedChat& chat);
/// `name` stands for the text in errors. Throws Error bad_argument: as parse_json_value(), another format or
/// version, a field that is missing or of the wrong type, messages in another order than a system message, if
/// any, and then user and assistant in turn.
SavedChat parse_saved_chat(std::string_view text, const std::string& name);
/// Whether it is one of any version, be it complete or not.
bool is_saved_chat(std::string_view text);

}  // namespace armature::tools
