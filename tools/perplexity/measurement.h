#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/decoder.h"
#include "engine/model.h"
#include "tools/cli/flags.h"
#include "tools/perplexity/json_report.h"
#include "tools/perplexity/runner.h"
#include "tools/perplexity/subject.h"

namespace armature::tools::perplexity {

/// Runs a subject through a model, as many chunks at a time as -b has room for. What is going on is told on
/// standard error.
class Measurement {
 public:
  /// Throws UsageError, and Error as choose_decoder_options(). `args` must outlive this.
  Measurement(std::shared_ptr<const Model> model, const Arguments& args, Subject subject);

  const Model& model() const { return *model_; }
  const Chunks& chunks() const { return subject_.chunks; }

  /// False after an interrupt. Throws Error as Runner::run(), and file_changed.
  bool run(Evaluation& evaluation);

  /// Of the run that is over.
  RunFacts facts() const;

 private:
  std::shared_ptr<const Model> model_;
  const Arguments& args_;
  Subject subject_;
  std::size_t n_sequences_;
  std::optional<Decoder> decoder_;
  double seconds_ = 0;
};

}  // namespace armature::tools::perplexity
