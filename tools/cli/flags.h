#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The options of all commands, from one table (flag_table.h): parsing, checking, help and the search for
/// the nearest name all walk it.
namespace armature::tools {

/// A wrong command line: the program prints what() as "error: ..." and ends with status 2.
class UsageError : public std::exception {
 public:
  explicit UsageError(std::string line) : line_(std::move(line)) {}
  const char* what() const noexcept override { return line_.c_str(); }

 private:
  std::string line_;
};

/// The commands, as bits, so that a row can name those that take it.
using Commands = std::uint32_t;
inline constexpr Commands kRun = 1u << 0;
inline constexpr Commands kChat = 1u << 1;
inline constexpr Commands kTokenize = 1u << 2;
inline constexpr Commands kTemplate = 1u << 3;
inline constexpr Commands kInspect = 1u << 4;
inline constexpr Commands kCpu = 1u << 5;
inline constexpr Commands kPlan = 1u << 6;
inline constexpr Commands kLogits = 1u << 7;
inline constexpr Commands kCompletion = 1u << 8;
inline constexpr Commands kHelp = 1u << 9;
inline constexpr Commands kBench = 1u << 10;
inline constexpr Commands kSynth = 1u << 11;
inline constexpr Commands kBatchedBench = 1u << 12;
inline constexpr Commands kPerplexity = 1u << 13;
inline constexpr Commands kVerify = 1u << 14;
inline constexpr Commands kAllCommands = (1u << 15) - 1;
// Those that make text, those that load weights, and those that read a model's file at all.
inline constexpr Commands kAnswering = kRun | kChat;
inline constexpr Commands kDecoding = kAnswering | kPlan | kLogits | kBatchedBench | kPerplexity;
inline constexpr Commands kReading = kDecoding | kTokenize | kTemplate | kInspect | kVerify;

enum class Option : std::uint8_t {
  Model,
  OverrideKv,
  Prompt,
  File,
  BinaryFile,
  System,
  SystemFile,
  Escape,
  ParseSpecial,
  Echo,
  Conversation,
  ChatTemplate,
  ChatTemplateFile,
  TemplateVariables,
  Thinking,
  ThinkingEffort,
  ThinkingBudget,
  Messages,
  SetVariable,
  Now,
  SingleTurn,
  MultilineInput,
  History,
  NPredict,
  IgnoreEos,
  Stop,
  Temperature,
  TopK,
  TopP,
  MinP,
  RepeatPenalty,
  RepeatLastN,
  PresencePenalty,
  FrequencyPenalty,
  Seed,
  CtxSize,
  BatchSize,
  UbatchSize,
  Parallel,
  CacheTypeK,
  CacheTypeV,
  FlashAttn,
  ContextShift,
  Keep,
  BatchInvariant,
  RopeScaling,
  RopeScale,
  RopeFreqScale,
  RopeFreqBase,
  YarnOrigCtx,
  Threads,
  ThreadsBatch,
  CpuMask,
  CpuRange,
  CpuStrict,
  CpuMaskBatch,
  CpuRangeBatch,
  CpuStrictBatch,
  Priority,
  PriorityBatch,
  Poll,
  PollBatch,
  Numa,
  Isa,
  Mmap,
  Mlock,
  LoadMode,
  Json,
  Ids,
  IdList,
  IdsFile,
  AllRows,
  OutputFile,
  FullArrays,
  Color,
  Stdin,
  Bos,
  Jsonl,
  Decode,
  Nfc,
  Count,
  ShowCount,
  LogDisable,
  Verbose,
  VerbosePrompt,
  CompletionBash,
  Help,
  Version,
  BenchModels,
  BenchSynth,
  BenchLoadMode,
  BenchMmap,
  BenchDirectIo,
  BenchPrompt,
  BenchGen,
  BenchPromptGen,
  BenchGenAtDepth,
  BenchDepth,
  BenchBatch,
  BenchUbatch,
  BenchTypeK,
  BenchTypeV,
  BenchFlashAttn,
  BenchThreads,
  BenchCpuMask,
  BenchCpuStrict,
  BenchPoll,
  BenchRepetitions,
  BenchNoWarmUp,
  BenchWarmUp,
  BenchDelay,
  BenchProgress,
  BenchOutput,
  BenchOutputErr,
  BenchCompat,
  BenchRoof,
  BenchNoRoof,
  BatchedPrompt,
  BatchedGen,
  BatchedSequences,
  BatchedSharedPrompt,
  BatchedOneByOne,
  BatchedRepetitions,
  BatchedWarmUp,
  BatchedOutput,
  Sweep,
  SweepGen,
  SweepStride,
  SweepMemory,
  SweepWarmUp,
  ChunkSize,
  Chunks,
  PplOutputType,
  KlBase,
  KlDivergence,
  Layers,
  ListShapes,
  DryRun,
  Ignored,  // accepted for the sake of command lines written for other programs; has no effect
  Refused,  // known from other programs and not to be had here, but for the values that ask for nothing
};

/// What stands after a flag.
enum class ValueKind : std::uint8_t {
  None,  // nothing: a name turns it on, a negative name off
  Text,
  Integer,    // within the range, or one of the words
  Integers,   // a list of such, with ranges (value_list.h), or one of the words
  Real,       // finite and within the range
  Word,       // one of the words
  Words,      // some of the words, with commas between
  MaybeWord,  // one of the words, or nothing, which stands for the first of them
  MaybeText   // the next argument if that is no flag ("-1" is none), or nothing, as before
};

enum class Group : std::uint8_t {
  Input,
  Tests,
  Answer,
  Sampling,
  Context,
  Machine,
  Output,
  Ignored,
  Refused
};

/// Where the help of llama.cpp's llama-cli has a flag, and in which years.
enum class LlamaSection : std::uint8_t { None, Common, Sampling, Cli };
struct LlamaFlag {
  LlamaSection section = LlamaSection::None;
  int first = 0, last = 0;
};

struct Range {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
};

/// One option. Lists are words with a space between.
struct Flag {
  Option option;
  Group group;
  Commands commands;
  std::string_view names = {};      // as written, dashes included
  std::string_view negatives = {};  // names that turn a flag without value off
  ValueKind value = ValueKind::None;
  std::string_view shown = {};    // the value's name in the help
  std::string_view initial = {};  // without the flag, as a user would write it; a switch has "on" or ""
  Range range = {};
  std::string_view range_text = {};  // the range in words, where the two numbers do not say it
  std::string_view sets = {};     // what it decides, where other flags decide that too; the last one counts
  std::string_view words = {};    // that may stand for a value; of a refused flag the values it may have
  std::string_view help = {};     // of an ignored or refused flag: why it is, and what to do instead
  std::string_view limits = {};   // what it does not do here: shown with refused values
  std::string_view env = {};      // variables that count when the flag is not given
  std::string_view env_off = {};  // variables that turn a flag without value off, whatever they hold
  LlamaFlag llama = {};
};
std::span<const Flag> flag_table();
const Flag& flag_of(Option option);

/// The words of a list of the table.
std::vector<std::string_view> split_words(std::string_view list);

/// A variable of the environment; empty stands for one that is not set.
using Environment = std::function<std::string_view(const std::string& name)>;
std::string_view system_variable(const std::string& name);

/// A checked command line. Without a flag its initial value counts; of a repeated one the last.
class Arguments {
 public:
  /// Takes what follows the command's name. "--name=value" equals "--name value", `_` in a name equals `-`,
  /// and all after "--" are words. Throws UsageError: unknown flag (naming the nearest), one that is refused,
  /// value missing or out of range.
  static Arguments parse(Commands command, std::span<const std::string_view> args);
  /// Values from the environment for the flags that were not given, if no other flag decides the same. A
  /// switch is turned on by on, enabled, true and 1, off by off, disabled, false and 0. Throws UsageError,
  /// which names the variable.
  void read_environment(Commands command, const Environment& environment);

  bool is_given(Option option) const { return values_.contains(option); }
  bool is_from_environment(Option option) const;
  /// Of a flag without value.
  bool is_on(Option option) const;
  std::string_view text(Option option) const;
  /// Of an Integer option whose text is not one of its words.
  std::int64_t integer(Option option) const;
  double real(Option option) const;
  /// All values of a repeated option, in order.
  std::span<const std::string> all(Option option) const;
  /// For messages: the name or the variable that gave the option, else the first of its names.
  std::string_view name_of(Option option) const;

  /// What is neither flag nor value, in order.
  std::span<const std::string> words() const { return words_; }
  /// One line for each reason why flags that were given are ignored, for each that another overruled, and for
  /// each variable that is not honoured.
  std::vector<std::string> notes() const;
  /// A line for each variable that counts: "NAME=value (for -t)".
  std::span<const std::string> environment() const { return environment_; }

 private:
  struct Given {
    const Flag* flag = nullptr;
    std::string name;  // as written, or of the variable
    std::vector<std::string> values;
    bool decides() const;
  };
  void set(const Flag& flag, std::string_view name, std::string value);
  void overrule(const Given& given);
  bool is_decided(const Flag& flag) const;

  std::map<Option, Given> values_;
  std::vector<std::string> words_;
  std::vector<std::pair<std::string, const Flag*>> ignored_;  // name as written
  std::vector<std::string> environment_, overruled_, not_honoured_;
};

/// The name of `command`'s flags that takes the fewest edits to reach from `name` (a letter more, less,
/// another or two swapped); empty when they would be more than a third of it.
std::string_view nearest_flag(Commands command, std::string_view name);

}  // namespace armature::tools
