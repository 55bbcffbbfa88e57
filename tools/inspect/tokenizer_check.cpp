#include "tools/inspect/tokenizer_check.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/columns.h"

namespace armature::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kTexts[] = {
    "Hello, world! It's 7:45.",
    "3.14159 + 2000000 = 10^6?",
    "  if (a[i] != '\\n') {\n\t\treturn x_1;\n  }\n\n\n",
    "na\u00efve caf\u00e9, \u00dcbergr\u00f6\u00dfe",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u4f60\u597d, \u3053\u3093\u306b\u3061\u306f",
    "\U0001f642 \U0001f469\u200d\U0001f4bb",
};

std::string_view name_of(TokenType type) {
  switch (type) {
    case TokenType::normal:
      return "normal";
    case TokenType::unknown:
      return "unknown";
    case TokenType::control:
      return "control";
    case TokenType::user_defined:
      return "user-defined";
    case TokenType::unused:
      return "unused";
    case TokenType::byte:
      return "byte";
  }
  return "";
}

std::string string_key(const gguf::Metadata& metadata, std::string_view key) {
  return std::string(metadata.find_string(key).value_or(""));
}

/// What is wrong with the way of this text to tokens and back, if anything is.
std::optional<LostText> find_loss(const Tokenizer& tokenizer, std::string_view text) {
  try {
    const auto ids = tokenizer.encode(text, {.add_special = false, .parse_special = false});
    std::string back = tokenizer.decode(ids);
    if (back == text) return std::nullopt;
    return LostText{std::string(text), std::move(back)};
  } catch (const Error& error) {
    return LostText{std::string(text), error.what()};
  }
}

Json special_json(const TokenizerCheck::Special& special) {
  return {{"id", static_cast<std::int32_t>(special.id)}, {"text", special.spelling}};
}

std::string special_text(const TokenizerCheck::Special& special) {
  return compose("{} {}", static_cast<std::int32_t>(special.id), quote(special.spelling, 40));
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += compose("{}{}", text.empty() ? "" : ", ", part);
  return text;
}

}  // namespace

TokenizerCheck TokenizerCheck::of(const Tokenizer& tokenizer, const gguf::Metadata& metadata) {
  TokenizerCheck check;
  check.model = string_key(metadata, "tokenizer.ggml.model");
  check.pre = string_key(metadata, "tokenizer.ggml.pre");
  check.n_vocab = tokenizer.n_vocab();
  check.add_bos = tokenizer.add_bos();
  check.add_eos = tokenizer.add_eos();
  const auto special = [&](const char* name, TokenId id) {
    return Special{name, id, std::string(tokenizer.spelling(id))};
  };
  for (const auto& [name, id] : {std::pair{"bos", tokenizer.bos()},
                                 {"eos", tokenizer.eos()},
                                 {"eot", tokenizer.eot()},
                                 {"eom", tokenizer.eom()},
                                 {"unk", tokenizer.unk()},
                                 {"pad", tokenizer.pad()}}) {
    if (id) check.specials.push_back(special(name, *id));
  }
  for (std::size_t i = 0; i < tokenizer.n_vocab(); ++i) {
    const auto id = static_cast<TokenId>(i);
    ++check.types[std::string(name_of(tokenizer.type(id)))];
    if (tokenizer.is_end_of_generation(id)) check.ends.push_back(special("", id));
  }
  for (const std::string_view text : kTexts) {
    ++check.n_texts;
    if (auto loss = find_loss(tokenizer, text)) check.lost.push_back(*std::move(loss));
  }
  return check;
}

nlohmann::ordered_json to_json(const TokenizerCheck& check) {
  Json json;
  json["model"] = check.model;
  json["pre"] = check.pre.empty() ? Json(nullptr) : Json(check.pre);
  json["n_vocab"] = check.n_vocab;
  json["types"] = check.types;
  json["special"] = Json::object();
  for (const auto& special : check.specials) json["special"][special.name] = special_json(special);
  json["ends"] = Json::array();
  for (const auto& end : check.ends) json["ends"].push_back(special_json(end));
  json["add_bos"] = check.add_bos;
  json["add_eos"] = check.add_eos;
  Json lost = Json::array();
  for (const LostText& l : check.lost) lost.push_back({{"text", l.text}, {"instead", l.instead}});
  json["round_trip"] = {{"texts", check.n_texts}, {"lost", lost}};
  return json;
}

std::string to_text(const TokenizerCheck& check, std::size_t indent) {
  Columns columns("ll");
  columns.add({"kind", check.pre.empty() ? check.model : compose("{}, pre {}", check.model, check.pre)});
  std::vector<std::string> parts;
  for (const auto& [name, n] : check.types) parts.push_back(compose("{} {}", n, name));
  columns.add({"tokens", compose("{} ({})", check.n_vocab, joined(parts))});
  parts.clear();
  for (const auto& special : check.specials)
    parts.push_back(compose("{} {}", special.name, special_text(special)));
  columns.add({"special", joined(parts)});
  parts.clear();
  for (const auto& end : check.ends) parts.push_back(special_text(end));
  columns.add({"ends", parts.empty() ? "none" : joined(parts)});
  columns.add({"adds", check.add_bos   ? check.add_eos ? "BOS in front, EOS behind" : "BOS in front"
                       : check.add_eos ? "EOS behind"
                                       : "nothing"});
  columns.add({"round trip", compose("{} of {} texts come back as they were",
                                     check.n_texts - check.lost.size(), check.n_texts)});
  for (const LostText& l : check.lost)
    columns.add({"", compose("{} gives {}", quote(l.text), quote(l.instead))});
  return columns.text(indent);
}

}  // namespace armature::tools
