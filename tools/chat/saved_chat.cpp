#include "tools/chat/saved_chat.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "armature chat";
constexpr int kVersion = 1;

/// Reads fields, and knows what to call the file.
class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {}

  [[noreturn]] void fail(std::string_view problem) const {
    throw Error(ErrorCode::bad_argument, {name_, {}, {}}, problem);
  }

  const Json& field(const Json& object, const char* key, Json::value_t type) const {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end() || found->type() != type)
      fail(compose("not a saved chat: {} is missing or of the wrong type", quote(key)));
    return *found;
  }
  std::string text(const Json& object, const char* key) const {
    return field(object, key, Json::value_t::string).get<std::string>();
  }
  std::uint64_t number(const Json& object, const char* key) const {
    return field(object, key, Json::value_t::number_unsigned).get<std::uint64_t>();
  }

  std::vector<chat::Message> messages(const Json& list) const {
    std::vector<chat::Message> messages;
    for (const Json& one : list) {
      chat::Message message = {text(one, "role"), text(one, "content")};
      const std::string_view before = messages.empty() ? "" : std::string_view(messages.back().role);
      const bool fits = message.role == "system" ? messages.empty()
                        : message.role == "user" ? before != "user"
                                                 : message.role == "assistant" && before == "user";
      if (!fits)
        fail(compose("message {} is of role {}, which cannot follow {}", messages.size() + 1,
                     quote(message.role), before.empty() ? "the beginning" : quote(before)));
      messages.push_back(std::move(message));
    }
    return messages;
  }

 private:
  const std::string& name_;
};

Json parse(std::string_view text, const Reader& reader) {
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    reader.fail("not JSON, or not UTF-8");
  }
}

}  // namespace

ModelIdentity ModelIdentity::of(const Model& model) {
  const gguf::KeyValue* name = model.metadata().find("general.name");
  const bool named = name != nullptr && name->type == gguf::ValueType::String;
  return {named ? std::string(*model.metadata().find_string("general.name"))
                : std::filesystem::path(model.path()).filename().string(),
          model.config().architecture, model.bytes()};
}

std::string to_json(const SavedChat& chat) {
  Json json;
  json["format"] = kFormat;
  json["version"] = kVersion;
  json["model"] = {
      {"name", chat.model.name}, {"architecture", chat.model.architecture}, {"bytes", chat.model.bytes}};
  json["messages"] = Json::array();
  for (const chat::Message& message : chat.messages)
    json["messages"].push_back({{"role", message.role}, {"content", message.content}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SavedChat parse_saved_chat(std::string_view text, const std::string& name) {
  const Reader reader(name);
  const Json json = parse(text, reader);
  if (reader.text(json, "format") != kFormat)
    reader.fail(compose("format {}; a chat has {}", quote(reader.text(json, "format")), quote(kFormat)));
  const std::uint64_t version = reader.number(json, "version");
  if (version != kVersion) reader.fail(compose("version {}; this program reads {}", version, kVersion));
  const Json& model = reader.field(json, "model", Json::value_t::object);
  return {{reader.text(model, "name"), reader.text(model, "architecture"), reader.number(model, "bytes")},
          reader.messages(reader.field(json, "messages", Json::value_t::array))};
}

}  // namespace armature::tools
