#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/batch.h"
#include "engine/kv_cache.h"
#include "engine/model.h"
#include "engine/thread_options.h"

namespace armature {

struct DecoderOptions {
  std::size_t n_ctx = 0;  // positions that the KV cache holds, shared by all sequences; 0: choose_n_ctx()
  std::size_t n_sequences = 1;      // that fill it together: room for a last page of each that is not full
  std::size_t n_ubatch = 512;       // most rows of one forward pass
  std::size_t n_threads = 1;        // for passes with few rows
  std::size_t n_threads_batch = 0;  // for passes with many rows; 0: n_threads
  ThreadOptions threads;            // where they run and how they wait, in passes with few rows
  std::optional<ThreadOptions> threads_batch;       // ... with many rows; absent: the same
  gguf::TensorType type_k = gguf::TensorType::F16;  // of the keys in the cache: F16 or F32
  gguf::TensorType type_v = gguf::TensorType::F16;
  /// Use the few-row kernels for any number of rows: the same bits for every batch size, at the cost of
  /// prefill speed.
  bool batch_invariant = false;
};

inline constexpr std::size_t kMaxContext = std::size_t{1} << 24;

/// Bytes that a decoder takes beside the weights.
struct MemoryPlan {
  std::size_t n_ctx = 0;
  std::size_t n_pages = 0;  // of kPageCells positions
  std::size_t kv_bytes_per_page = 0;
  std::size_t kv_bytes = 0;  // when the whole context is used
  std::size_t scratch_bytes = 0;
};

/// The context for n_ctx = 0: the model's limit, or as much as `available_bytes` of memory holds if less.
std::size_t choose_n_ctx(const Model& model, const DecoderOptions& options, std::size_t available_bytes);
/// What a decoder with these options will take; options.n_ctx must not be 0. Throws Error bad_argument
/// (bytes that no number holds).
MemoryPlan plan_memory(const Model& model, const DecoderOptions& options);
/// Throws Error out_of_memory, with the bytes and what they are for, when the plan needs more than is
/// available; bad_argument for a context beyond kMaxContext that memory would hold.
void check_memory(const MemoryPlan& plan, std::size_t available_bytes);

/// Runs a model: owns the KV cache, the scratch memory and the team of threads. One caller at a time; several
/// decoders may share a model.
class Decoder {
 public:
  /// Throws Error: bad_argument (n_ctx beyond 2^24, a KV type without a kernel), out_of_memory with the bytes
  /// needed.
  Decoder(std::shared_ptr<const Model> model, const DecoderOptions& options);
  ~Decoder();

  const Model& model() const;
  const DecoderOptions& options()
      const;  // with the choices filled in; fewer threads if not all could be made
  const MemoryPlan& memory() const;
  const KvCache& kv_cache() const;

  Sequence new_sequence();

  /// One pass over at most n_ubatch rows. Afterwards logits(i) are those of the i-th row that wanted them,
  /// and each sequence has grown by its rows. `stop` is asked again and again, by any thread; once it returns
  /// true the pass is given up, the sequences are as before, there are no logits, and the result is false.
  /// Throws Error: bad_argument (no rows, too many, a token outside the vocabulary), out_of_memory (the cache
  /// is full; nothing has changed), not_finite (logits that are NaN or infinite).
  bool forward(const Batch& batch, const std::function<bool()>& stop = {});

  /// [n_vocab]; valid until the next forward().
  std::span<const float> logits(std::size_t i) const;
  std::size_t n_logits() const;

  /// Appends a prompt in passes of at most n_ubatch rows; logits are wanted for the last token only. `stop`
  /// as in forward(): the sequence then ends with the last whole pass. `done` is told after each pass how
  /// many of the tokens are in.
  bool prefill(Sequence& sequence, std::span<const TokenId> tokens, const std::function<bool()>& stop = {},
               const std::function<void(std::size_t)>& done = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace armature
