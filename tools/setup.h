#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/decoder.h"
#include "engine/kernel_plan.h"
#include "engine/model.h"
#include "engine/sampler.h"
#include "tools/cli/flags.h"

/// From a command line to the engine's objects. What was chosen, and why, goes to standard error.
namespace armature::tools {

/// What --isa leaves of this machine's features. Throws UsageError.
cpu::Features choose_features(const Arguments& args);
/// Which of the two leaves less than all of them: "--isa", "ARMATURE_ISA" or "".
std::string_view features_masked_by(const Arguments& args);

/// What a word of -ctk and -ctv stands for.
gguf::TensorType cache_type(std::string_view word);
/// How a model is loaded by a word of --load-mode; "auto" maps it.
LoadOptions load_options(std::string_view mode);
/// The model of this file, else the built-in one. Throws Error as Model::load().
std::shared_ptr<const Model> load_model(const std::optional<std::string>& path, const LoadOptions& options);
/// What --load-mode, else --mmap and --mlock say.
LoadOptions load_mode(const Arguments& args);

/// The model of -m, else the built-in one, with --override-kv, --mmap, --mlock and --isa as given. Throws
/// UsageError, and Error as Model::load().
std::shared_ptr<const Model> load_model(const Arguments& args);
/// The same mapped and not locked whatever is asked for: to look at it, without reading its weights.
std::shared_ptr<const Model> map_model(const Arguments& args);
/// ... with kernels for these features.
std::shared_ptr<const Model> map_model(const Arguments& args, cpu::Features features);
/// The first few of a file's warnings, or with -v all.
void tell_warnings(std::span<const std::string> warnings, const Arguments& args);
/// Its warnings, and with -v its kernels.
void tell_about_model(const Model& model, const Arguments& args);

/// The files of -m, else the built-in model, with --override-kv as given. Throws UsageError, and Error as
/// ModelFiles::open().
gguf::ModelFiles open_model_files(const Arguments& args);
/// The same of this path, else of the built-in model.
gguf::ModelFiles open_model_files(const std::optional<std::string>& path, const Arguments& args);

/// The text side of a model, which no weights are needed for.
struct TextModel {
  gguf::ModelFiles files;
  std::unique_ptr<const Tokenizer> tokenizer;
};
/// That of open_model_files(), which may be any file that holds a vocabulary. Throws as it does, and Error as
/// Tokenizer::from().
TextModel load_text_model(const Arguments& args);

/// Context, batch, threads and cache types as asked for or as the machine has them, with reasons in words.
struct DecoderChoice {
  DecoderOptions options;
  std::string threads_reason, context_reason;
  std::vector<std::string> notes;  // of what makes no difference
};
/// n_ctx: positions of all sequences together; 0: as -c says. Does not look whether memory holds a context
/// that was asked for. Throws UsageError.
DecoderChoice plan_decoder(const Model& model, const Arguments& args, std::size_t n_sequences = 1,
                           std::size_t n_ctx = 0);
/// The same options; the reasons are told. Binds the calling thread to the first of the places for threads,
/// and gives the process its priority. Throws Error out_of_memory.
DecoderOptions choose_decoder_options(const Model& model, const Arguments& args, std::size_t n_sequences = 1,
                                      std::size_t n_ctx = 0);
/// Looks whether memory holds the logits of n_rows rows of a pass too, of which the decoder's plan counts
/// one. Throws Error out_of_memory.
void check_memory_of_rows(const Model& model, const DecoderOptions& options, std::size_t n_rows);
/// The kernels that a decoder with the cache types asked for runs.
std::vector<KernelChoice> plan_kernels(const Model& model, const Arguments& args);

/// How many threads the system has granted, if fewer than asked for.
void tell_about_threads(const Decoder& decoder, const DecoderOptions& asked);

/// The seed is filled in.
SamplerOptions sampler_options(const Arguments& args);
/// Under --ignore-eos with those tokens banned that the tokenizer knows to end an answer, and `end_tokens`.
/// Throws Error bad_argument.
Sampler make_sampler(const SamplerOptions& options, const Tokenizer& tokenizer,
                     std::span<const TokenId> end_tokens, const Arguments& args);

}  // namespace armature::tools
