#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/kernel_plan.h"
#include "engine/model_check.h"
#include "gguf/model_files.h"
#include "tools/inspect/census.h"
#include "tools/inspect/template_check.h"
#include "tools/inspect/tokenizer_check.h"

namespace armature::tools {

/// All that can be told of a model from its files without reading weights. The files must outlive it.
struct Inspection {
  /// Bytes of keys and values of one position in the cache, by their type.
  struct KvBytes {
    gguf::TensorType type;
    std::uint64_t bytes;
  };

  const gguf::ModelFiles* files = nullptr;
  Census census;
  ModelCheck check;
  std::vector<KvBytes> kv_bytes_per_token;    // empty where the configuration is not known
  std::vector<KernelChoice> kernels;          // of what can be bound
  std::optional<TokenizerCheck> tokenizer;    // nothing where the vocabulary is at fault
  std::vector<TemplateCheck> chat_templates;  // empty where the file has none
  std::vector<std::string> warnings;

  bool runs() const { return check.faults.empty(); }
};

/// Kernels are chosen among `features`.
Inspection inspect_files(const gguf::ModelFiles& files, cpu::Features features);

/// One JSON object with a line end. `full`: long arrays of the metadata too.
std::string to_json(const Inspection& inspection, bool full);
struct TextOptions {
  bool full = false;      // long arrays, texts and lists in full
  bool kernels = false;   // with the table of kernels
  std::string masked_by;  // what masks features, for that table
};
/// Lines for people, with line ends.
std::string to_text(const Inspection& inspection, const TextOptions& options);

}  // namespace armature::tools
