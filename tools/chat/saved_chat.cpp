#include "tools/chat/saved_chat.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/chat/utf8.h"
#include "engine/chat/value.h"
#include "engine/tokenizer/utf8_stream.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/json_value.h"

namespace armature::tools {
namespace {

using chat::Value;
using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "armature chat";
constexpr int kVersion = 1;

/// The fields of a JSON object. Errors name its place, and what was found and is needed.
class Fields {
 public:
  /// Throws Error bad_argument for what is no object.
  Fields(const Value& object, Place place) : place_(std::move(place)), dict_(object.as_dict()) {
    if (dict_ == nullptr) fail(compose("{}; an object is needed", object.kind()));
  }

  [[noreturn]] void fail(std::string_view problem) const {
    throw Error(ErrorCode::bad_argument, place_, problem);
  }

  const Value* find(std::string_view key) const { return dict_->find(key); }
  std::string text(std::string_view key) const {
    const Value& value = require(key, "a string");
    if (!value.is_string()) fail_type(key, value, "a string");
    return std::string(value.as_text()->bytes());
  }
  std::uint64_t number(std::string_view key) const {
    const Value& value = require(key, "an integer from 0 on");
    if (!value.as_int() || *value.as_int() < 0) fail_type(key, value, "an integer from 0 on");
    return static_cast<std::uint64_t>(*value.as_int());
  }
  const std::vector<Value>& list(std::string_view key) const {
    const Value& value = require(key, "a list");
    if (!value.as_list()) fail_type(key, value, "a list");
    return value.as_list()->items();
  }
  Fields object(std::string_view key) const {
    return {require(key, "an object"), {place_.file, {}, quote(key)}};
  }
  /// Adds the names of the fields that are not in `known` to a list that holds each once.
  void add_others(std::vector<std::string>& names, std::span<const std::string_view> known) const {
    for (const auto& [key, value] : dict_->entries()) {
      const std::string name(key.as_text()->bytes());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }

 private:
  const Value& require(std::string_view key, std::string_view needed) const {
    if (const Value* value = find(key)) return *value;
    fail(compose("{} is missing; {} is needed", quote(key), needed));
  }
  [[noreturn]] void fail_type(std::string_view key, const Value& value, std::string_view needed) const {
    fail(compose("{} is {}; {} is needed", quote(key), value.kind(), needed));
  }

  Place place_;
  const chat::Dict* dict_;
};

/// `bytes`, where the message has it, else `content`.
std::string content_of(const Fields& message) {
  std::string content = message.text("content");
  if (message.find("bytes") == nullptr) return content;
  content.clear();
  for (const Value& byte : message.list("bytes")) {
    if (!byte.as_int() || *byte.as_int() < 0 || *byte.as_int() > 255)
      message.fail("'bytes' holds what is no byte; integers from 0 to 255 are needed");
    content += static_cast<char>(*byte.as_int());
  }
  return content;
}

void check_order(const chat::Message& message, std::string_view before, const Fields& fields) {
  const bool fits = message.role == "system" ? before.empty()
                    : message.role == "user" ? before != "user"
                                             : message.role == "assistant" && before == "user";
  if (fits) return;
  fields.fail(compose("'role' is {}, which cannot follow {}", quote(message.role),
                      before.empty() ? "the beginning" : quote(before)));
}

void read_messages(const std::vector<Value>& list, const std::string& file, SavedChat& chat) {
  static constexpr std::string_view kKnown[] = {"role", "content", "bytes"};
  for (const Value& one : list) {
    const Fields fields(one, {file, {}, compose("message {}", chat.messages.size() + 1)});
    chat::Message message = {fields.text("role"), content_of(fields)};
    check_order(message, chat.messages.empty() ? "" : std::string_view(chat.messages.back().role), fields);
    fields.add_others(chat.left_out, kKnown);
    chat.messages.push_back(std::move(message));
  }
}

Json to_json(const chat::Message& message) {
  Json json = {{"role", message.role}, {"content", message.content}};
  if (chat::find_invalid_utf8(message.content) == std::string_view::npos) return json;
  json["bytes"] = Json::array();
  for (const char byte : message.content) json["bytes"].push_back(static_cast<unsigned char>(byte));
  return json;
}

std::string valid_utf8(std::string_view bytes) {
  Utf8Stream stream;
  std::string text;
  stream.push(bytes, text);
  stream.flush(text);
  return text;
}

}  // namespace

ModelIdentity ModelIdentity::of(const Model& model) {
  const gguf::KeyValue* name = model.metadata().find("general.name");
  const bool named = name != nullptr && name->type == gguf::ValueType::String;
  return {valid_utf8(named ? std::string(*model.metadata().find_string("general.name"))
                           : std::filesystem::path(model.path()).filename().string()),
          model.config().architecture, model.bytes()};
}

std::string to_json(const SavedChat& chat) {
  Json json;
  json["format"] = kFormat;
  json["version"] = kVersion;
  json["model"] = {
      {"name", chat.model.name}, {"architecture", chat.model.architecture}, {"bytes", chat.model.bytes}};
  json["messages"] = Json::array();
  for (const chat::Message& message : chat.messages) json["messages"].push_back(to_json(message));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SavedChat parse_saved_chat(std::string_view text, const std::string& name) {
  const Value json = parse_json_value(text, name);
  const Fields file(json, {name, {}, {}});
  if (const std::string format = file.text("format"); format != kFormat)
    file.fail(compose("'format' is {}; a chat has {}", quote(format), quote(kFormat)));
  if (const std::uint64_t version = file.number("version"); version != kVersion)
    file.fail(compose("version {}; this program reads {}", version, kVersion));
  const Fields model = file.object("model");
  SavedChat chat;
  chat.model = {model.text("name"), model.text("architecture"), model.number("bytes")};
  read_messages(file.list("messages"), name, chat);
  return chat;
}

bool is_saved_chat(std::string_view text) {
  try {
    return Fields(parse_json_value(text, {}), {}).text("format") == kFormat;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace armature::tools
