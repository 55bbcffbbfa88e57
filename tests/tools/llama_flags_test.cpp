// The flags of llama.cpp's llama-cli, against a list of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/cli/flags.h"
#include "tools/cli/llama_help.h"
#include "tools/cli/wrap.h"

namespace armature::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

struct LlamaName {
  std::string name;
  int first = 0, last = 0;  // years
  std::string n_values;     // "0", "1", "2", or "0-1" and "1-2" where it changed
  std::string variables;    // with blanks between
};

std::vector<LlamaName> read_names() {
  std::vector<LlamaName> names;
  std::ifstream file(ARMATURE_SOURCE_DIR "/tests/tools/data/llama_cli_flags.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream cells(line);
    LlamaName name;
    std::string years;
    std::getline(cells, name.name, '\t');
    std::getline(cells, years, '\t');
    std::getline(cells, name.n_values, '\t');
    std::getline(cells, name.variables, '\t');
    name.first = std::stoi(years.substr(0, 4));
    name.last = std::stoi(years.substr(years.size() - 4));
    names.push_back(name);
  }
  return names;
}

bool has_word(std::string_view list, std::string_view word) {
  const auto words = split_words(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The rows of a command that have a name.
std::vector<const Flag*> rows_with(Commands command, std::string_view name) {
  std::vector<const Flag*> rows;
  for (const Flag& flag : flag_table())
    if ((flag.commands & command) != 0 && (has_word(flag.names, name) || has_word(flag.negatives, name)))
      rows.push_back(&flag);
  return rows;
}

TEST(LlamaFlags, EveryOneIsInTheTable) {
  const auto names = read_names();
  ASSERT_EQ(names.size(), 379u);
  for (const LlamaName& name : names) {
    for (const Commands command : {kRun, kChat}) {
      const auto rows = rows_with(command, name.name);
      ASSERT_EQ(rows.size(), 1u) << name.name;
      const Flag& flag = *rows.front();
      EXPECT_NE(flag.llama.section, LlamaSection::None) << name.name;
      EXPECT_LE(flag.llama.first, name.first) << name.name;
      EXPECT_GE(flag.llama.last, name.last) << name.name;
      const std::string variables = std::string(flag.env) + " " + std::string(flag.env_off);
      for (const std::string_view variable : split_words(name.variables))
        EXPECT_TRUE(has_word(variables, variable)) << name.name << " " << variable;
      EXPECT_EQ(flag.value == ValueKind::None, name.n_values == "0") << name.name;
      EXPECT_EQ(flag.value == ValueKind::MaybeWord, name.n_values == "0-1") << name.name;
    }
  }
}

/// What becomes of a command line of one flag: an error's message, or "".
std::string fate_of(const std::vector<std::string_view>& args) {
  try {
    Arguments::parse(kRun, args);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(LlamaFlags, NoneIsUnknown) {
  for (const LlamaName& name : read_names()) {
    EXPECT_THAT(fate_of({name.name}), Not(HasSubstr("unknown"))) << name.name;
    EXPECT_THAT(fate_of({name.name, "1"}), Not(HasSubstr("unknown"))) << name.name;
  }
}

TEST(LlamaFlags, RefusalsSayWhyAndWhatToDo) {
  EXPECT_THAT(fate_of({"-hf", "ggml-org/gemma-3-1b-it-GGUF"}), HasSubstr("hf download"));
  EXPECT_THAT(fate_of({"-mu=https://example.com/m.gguf"}), HasSubstr("curl -LO"));
  EXPECT_THAT(fate_of({"--lora", "a.gguf"}), HasSubstr("--lora: adapters"));
  EXPECT_THAT(fate_of({"--lora-scaled", "a.gguf", "0.5"}), HasSubstr("--lora-scaled: adapters"));
  EXPECT_THAT(fate_of({"--grammar_file", "x"}), HasSubstr("grammar"));
  EXPECT_THAT(fate_of({"-ctk", "q8_0"}), HasSubstr("quantized"));
  for (const Flag& flag : flag_table())
    if (flag.option == Option::Refused && (flag.commands & kRun) != 0) {
      EXPECT_THAT(fate_of({split_words(flag.names).front()}), HasSubstr(std::string(flag.help)));
    }
}

TEST(LlamaFlags, ValuesThatAskForNothingAreAccepted) {
  for (const auto& args : std::vector<std::vector<std::string_view>>{
           {"--mirostat", "0"},
           {"--typical", "1.00"},
           {"--typical-p=1"},
           {"--top-nsigma", "-1.0"},
           {"--xtc-probability", "0.0"},
           {"--dry-multiplier", "0"},
           {"--dynatemp-range", "0"},
           {"--samplers", "penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature"},
           {"--sampling-seq", "edskypmxt"},
           {"-np", "1"},
           {"-gan", "1"},
           {"--spec-type", "none"},
           {"--yarn-ext-factor", "-1.0"},
           {"--reasoning-format", "none"}}) {
    EXPECT_EQ(fate_of(args), "") << args.front();
  }
  EXPECT_THAT(fate_of({"--mirostat", "2"}), HasSubstr("accepted is 0"));
  EXPECT_THAT(fate_of({"--mirostat"}), HasSubstr("--mirostat: "));
  EXPECT_THAT(fate_of({"--samplers", "top_k"}), HasSubstr("--samplers: "));
}

TEST(LlamaFlags, TheTableHasEachName) {
  const std::string table = llama_table();
  for (const LlamaName& name : read_names()) EXPECT_THAT(table, HasSubstr(name.name));
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), kHelpWidth) << line;
}

TEST(LlamaFlags, JsonHasEachNameWithItsFate) {
  const auto json = nlohmann::json::parse(llama_json());
  std::map<std::string, std::string> statuses;
  std::map<std::string, std::size_t> counts;
  for (const auto& flag : json["flags"]) {
    ++counts[flag["status"]];
    for (const std::string name : flag["names"]) statuses[name] = flag["status"];
    if (flag["status"] != "done") {
      EXPECT_NE(flag["note"], "") << flag;
    }
  }
  for (const LlamaName& name : read_names()) EXPECT_TRUE(statuses.contains(name.name)) << name.name;
  EXPECT_EQ(statuses["-t"], "done");
  EXPECT_EQ(statuses["-ngl"], "accepted");
  EXPECT_EQ(statuses["-hf"], "refused");
  for (const auto& [status, n] : counts) EXPECT_EQ(json["counts"][status], n);
}

}  // namespace
}  // namespace armature::tools
