#include "tools/cli/llama_help.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "gguf/compose.h"
#include "tools/cli/values.h"
#include "tools/cli/wrap.h"

namespace armature::tools {
namespace {

constexpr std::size_t kStatusColumn = 30;
constexpr std::size_t kNoteColumn = kStatusColumn + 10;

constexpr std::array<std::string_view, 4> kSectionNames = {"", "common", "sampling",
                                                           "cli"};  // of LlamaSection
constexpr std::array<std::string_view, 4> kSectionTitles = {"", "Common", "Sampling", "Of llama-cli itself"};

std::string all_names(const Flag& flag) {
  return compose("{}{}{}", flag.names, flag.negatives.empty() ? "" : " ", flag.negatives);
}

std::string all_variables(const Flag& flag) {
  return compose("{}{}{}", flag.env, flag.env_off.empty() ? "" : " ", flag.env_off);
}

/// In the order of the table, but those that are done first and those that are refused last.
std::vector<const Flag*> flags_of(LlamaSection section) {
  std::vector<const Flag*> flags;
  for (const Flag& flag : flag_table())
    if (flag.llama.section == section) flags.push_back(&flag);
  std::stable_sort(flags.begin(), flags.end(),
                   [](const Flag* a, const Flag* b) { return support_of(*a) < support_of(*b); });
  return flags;
}

/// Why it is not simply done, and what a refused flag may have for a value.
std::string note_of(const Flag& flag) {
  if (support_of(flag) == Support::Done) return std::string(flag.limits);
  const bool has_list = support_of(flag) == Support::Refused && !flag.words.empty();
  const std::string accepted = joined(flag.words);
  if (!has_list || accepted.size() > kHelpWidth - kNoteColumn) return std::string(flag.help);
  return compose("{}; accepted is {}", flag.help, accepted);
}

std::string describe(const Flag& flag, bool note_is_above) {
  std::string line = "  " + joined(all_names(flag));
  if (!flag.shown.empty()) line += compose(" {}", flag.shown);
  std::string out = in_column(std::move(line), name_of(support_of(flag)), kStatusColumn);
  out.pop_back();
  const std::size_t last_line = out.rfind('\n') + 1;  // 0 for the only one
  std::string head = out.substr(0, last_line), tail = out.substr(last_line);
  std::string note = note_is_above ? "as above" : note_of(flag);
  if (flag.llama.first == flag.llama.last) note = compose("({}) {}", flag.llama.first, note);
  if (!flag.env.empty()) note += compose("{}[{}]", note.empty() ? "" : " ", split_words(flag.env).front());
  return note.empty() ? head + tail + "\n" : head + in_column(std::move(tail), note, kNoteColumn);
}

std::string section_table(LlamaSection section) {
  std::string out;
  std::string last_note;
  for (const Flag* flag : flags_of(section)) {
    const std::string note = note_of(*flag);
    out += describe(*flag, !note.empty() && note == last_note);
    last_note = note;
  }
  return out;
}

struct Counts {
  std::array<std::size_t, 3> by_support = {};
  std::size_t names = 0;
};
Counts count() {
  Counts counts;
  for (const Flag& flag : flag_table()) {
    if (flag.llama.section == LlamaSection::None) continue;
    ++counts.by_support[static_cast<std::size_t>(support_of(flag))];
    counts.names += split_words(all_names(flag)).size();
  }
  return counts;
}

nlohmann::ordered_json json_of(const Flag& flag) {
  nlohmann::ordered_json json;
  json["names"] = split_words(all_names(flag));
  json["argument"] = flag.shown;
  json["variables"] = split_words(all_variables(flag));
  json["section"] = kSectionNames[static_cast<std::size_t>(flag.llama.section)];
  json["years"] = {flag.llama.first, flag.llama.last};
  json["status"] = name_of(support_of(flag));
  json["note"] = note_of(flag);
  return json;
}

}  // namespace

Support support_of(const Flag& flag) {
  if (flag.option == Option::Refused) return Support::Refused;
  return flag.option == Option::Ignored ? Support::Accepted : Support::Done;
}

std::string_view name_of(Support support) {
  constexpr std::array<std::string_view, 3> kNames = {"done", "accepted", "refused"};
  return kNames[static_cast<std::size_t>(support)];
}

std::string llama_table() {
  const Counts counts = count();
  const auto& [done, accepted, refused] = counts.by_support;
  std::string out = compose(
      "The flags of llama.cpp's llama-cli, 2025 and 2026: {} names of {} flags.\n\n"
      "  done      {}: as there; armature run --help says more\n"
      "  accepted  {}: taken with a note that says why it makes no difference\n"
      "  refused   {}: an error that says why, but for the values that ask for nothing\n\n"
      "(2026): in that year alone. [VARIABLE]: its value counts where the flag is not given; that of a\n"
      "refused flag is noted, not an error.\n",
      counts.names, done + accepted + refused, done, accepted, refused);
  for (const LlamaSection section : {LlamaSection::Common, LlamaSection::Sampling, LlamaSection::Cli})
    out += compose("\n{}\n{}", kSectionTitles[static_cast<std::size_t>(section)], section_table(section));
  return out;
}

std::string llama_json() {
  nlohmann::ordered_json json;
  json["flags"] = nlohmann::ordered_json::array();
  for (const LlamaSection section : {LlamaSection::Common, LlamaSection::Sampling, LlamaSection::Cli})
    for (const Flag* flag : flags_of(section)) json["flags"].push_back(json_of(*flag));
  const Counts counts = count();
  json["counts"] = {{"names", counts.names}};
  for (const Support support : {Support::Done, Support::Accepted, Support::Refused})
    json["counts"][std::string(name_of(support))] = counts.by_support[static_cast<std::size_t>(support)];
  return json.dump(2) + "\n";
}

}  // namespace armature::tools
