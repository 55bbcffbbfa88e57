#include "tools/cli/commands.h"

#include <algorithm>

#include "gguf/compose.h"
#include "tools/commands/batched_bench.h"
#include "tools/commands/bench.h"
#include "tools/commands/chat.h"
#include "tools/commands/completion.h"
#include "tools/commands/cpu.h"
#include "tools/commands/help.h"
#include "tools/commands/inspect.h"
#include "tools/commands/logits.h"
#include "tools/commands/perplexity.h"
#include "tools/commands/plan.h"
#include "tools/commands/run.h"
#include "tools/commands/synth.h"
#include "tools/commands/template.h"
#include "tools/commands/tokenize.h"
#include "tools/commands/verify.h"

namespace armature::tools {
namespace {

constexpr Command kCommands[] = {
    {.bit = kRun,
     .name = "run",
     .summary = "answer one prompt, e.g.: armature run \"Tell me a story about a fox.\"",
     .usage = "[-m FILE] [-p TEXT | -f FILE | TEXT...] [OPTIONS]",
     .description = "Answers one prompt: the answer goes to standard output, all else to standard error.\n",
     .run = run},
    {.bit = kChat,
     .name = "chat",
     .summary = "talk with a model: turn after turn, with history and / commands",
     .usage = "[-m FILE] [-p TEXT] [-sys TEXT] [OPTIONS]",
     .description =
         "Answers messages that are typed, or that come as lines of a pipe, one after the other. What the\n"
         "model has read stays in its cache. Lines that begin with / are commands; /help lists them.\n",
     .run = chat},
    {.bit = kTokenize,
     .name = "tokenize",
     .summary = "show the tokens of a text, or the text of tokens",
     .usage = "[-m FILE] [-p TEXT | -f FILE | --stdin | TEXT...] [--decode [IDS]] [--jsonl] [OPTIONS]",
     .description =
         "Prints a line for each token of the text, its id and its bytes, or with --decode the text of ids.\n"
         "A file that holds a vocabulary and no weights will do. Only results go to standard output.\n",
     .run = tokenize},
    {.bit = kTemplate,
     .name = "template",
     .summary = "print a chat template, or the text that it makes of messages",
     .usage = "[-m FILE | --template FILE] [--messages FILE] [--set NAME=JSON]... [OPTIONS]",
     .description =
         "Prints the chat template of a model or, with --messages, exactly the text that it makes of "
         "them.\n"
         "bos_token, eos_token and add_generation_prompt come from the model, if one is given or its\n"
         "template is used; --set sets these and any other variable of the template.\n",
     .run = show_template},
    {.bit = kInspect,
     .name = "inspect",
     .summary = "show what is in a model's file, and what would not run",
     .usage = "[FILE | -m FILE] [--json] [--full] [OPTIONS]",
     .description =
         "Shows metadata, tensors, a census of their types, the bytes of KV cache that a token takes, how\n"
         "the tokenizer and the chat template do on a few texts, and all that keeps the model from\n"
         "running. Reads no weights.\n",
     .run = inspect},
    {.bit = kCpu,
     .name = "cpu",
     .summary = "show the processor, its caches and memory, and what of it is used",
     .usage = "[--json] [--isa LIST]",
     .description =
         "Shows the machine as the engine sees it: what the CPU can do and what of it is used, the\n"
         "default number of threads and why, caches, pages, NUMA nodes, memory and its limits.\n",
     .run = show_cpu},
    {.bit = kCompletion,
     .name = "completion",
     .summary = "print a script that completes command lines in bash, zsh or fish",
     .usage = "bash|zsh|fish",
     .description =
         "Prints a completion script, e.g. for this shell alone: source <(armature completion bash)\n",
     .run = print_completion},
    {.bit = kHelp,
     .name = "help",
     .summary = "explain a command, or list llama.cpp's flags and what becomes of them: help llama.cpp",
     .usage = "[COMMAND | llama.cpp [--json]]",
     .description =
         "Without a word: the commands. With that of a command: its options. With llama.cpp: every flag\n"
         "of its llama-cli of 2025 and 2026, and whether it is done, accepted with a note or refused.\n",
     .run = show_help},
    {.bit = kPlan,
     .name = "plan",
     .summary = "show what running a model would take, and with which kernels",
     .usage = "[-m FILE] [-c N] [-np N] [--json] [OPTIONS]",
     .description =
         "Shows the bytes of weights, KV cache and scratch, context, threads, and for each type of tensors\n"
         "the kernel that would run, with the reason where a better one would not. Loads no weights. The\n"
         "status is 1 if memory does not hold it.\n",
     .run = plan},
    {.bit = kLogits,
     .name = "logits",
     .summary = "write the logits after given tokens to a file",
     .usage = "[-m FILE] --ids LIST | --ids-file FILE [--all] -o FILE [OPTIONS]",
     .description =
         "Writes rows of little-endian f32, n_vocab each: those after the last token of each sequence, or\n"
         "with --all those after every token, in the order of the ids. Nothing is added to the ids. The\n"
         "sequences of a file are one batch and share the context.\n",
     .run = logits},
    {.bit = kBench,
     .name = "bench",
     .summary = "measure the speed of prompts and generation, as llama-bench does",
     .usage = "[-m FILE] [-p N] [-n N] [-pg P,G] [-d N] [-r N] [-o FORMAT] [OPTIONS]",
     .description =
         "Processes prompts and generates tokens, at random, and prints tokens per second with the standard\n"
         "deviation over repetitions. Flags and formats are those of llama-bench; json and jsonl have more\n"
         "under \"x\". Without -m the built-in model is measured. Flags that take lists may be repeated;\n"
         "ranges are FIRST-LAST, FIRST-LAST+STEP and FIRST-LAST*FACTOR.\n",
     .run = run_benchmarks},
    {.bit = kBatchedBench,
     .name = "batched-bench",
     .summary = "measure the speed of several sequences at a time, as llama-batched-bench does",
     .usage = "[-m FILE] -npp N,... -ntg N,... -npl N,... [-pps] [-tgs] [-r N] [OPTIONS] | --sweep [OPTIONS]",
     .description =
         "For every combination of the three lists, processes the prompts of so many sequences, generates\n"
         "tokens for all of them together, and prints the times and tokens per second of both. Flags,\n"
         "table and jsonl are those of llama-batched-bench. --sweep measures one sequence at growing\n"
         "depths, as sweep-bench of ik_llama.cpp does.\n",
     .run = run_batched_bench},
    {.bit = kPerplexity,
     .name = "perplexity",
     .summary = "measure how well a model predicts a text, and how far it is from another model",
     .usage = "[-m FILE] -f FILE [-c N] [--kl-divergence-base FILE [--kl-divergence]] [OPTIONS]",
     .description =
         "Cuts a text into chunks and prints how probable the model finds the second half of each, as\n"
         "llama-perplexity does: numbers, flags and files are the same. The perplexity after each chunk "
         "goes\n"
         "to standard output, the final estimate to standard error.\n",
     .run = measure_perplexity},
    {.bit = kVerify,
     .name = "verify",
     .summary = "check that this machine computes what it should: kernels, tokenizer, a model",
     .usage = "[-m FILE] [-t N] [--isa LIST] [--json] [-v]",
     .description =
         "Runs every kernel that this CPU can run against the scalar one, text through the model's\n"
         "vocabulary and back, and the model with different threads and batches. Status 1, and the name\n"
         "of what is wrong, if anything is. -v lists every check. Without -m: the built-in model.\n",
     .run = verify_machine},
    {.bit = kSynth,
     .name = "synth",
     .summary = "write a model of random weights in the shape of a known one, for measurements",
     .usage = "SHAPE TYPE OUT [--layers N] | --list [SHAPE]",
     .description =
         "Writes a file in the shape of SHAPE, such as llama-3.2-1b, with random weights of TYPE, such as\n"
         "Q4_0: all that speed depends on, without a download. llama.cpp loads it too. What it answers\n"
         "is noise. The bytes are the same on every machine.\n",
     .run = make_synthetic},
};

}  // namespace

std::string command_names() {
  std::string names;
  for (const Command& command : kCommands) names += compose("{}{}", names.empty() ? "" : ", ", command.name);
  return names;
}

std::span<const Command> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [name](const Command& command) { return command.name == name; });
  return found == std::end(kCommands) ? nullptr : &*found;
}

}  // namespace armature::tools
