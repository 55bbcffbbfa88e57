#include "engine/decoder.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/attention.h"
#include "engine/ffn.h"
#include "engine/machine.h"
#include "engine/parallel.h"
#include "engine/pass.h"
#include "engine/rope.h"
#include "engine/scratch.h"

namespace armature {

namespace {

/// The options with what 0 stands for filled in, and checked.
DecoderOptions complete(const Model& model, DecoderOptions o) {
  if (o.n_ctx == 0) o.n_ctx = choose_n_ctx(model, o, available_memory());
  o.n_sequences = std::max<std::size_t>(o.n_sequences, 1);
  o.n_threads = std::max<std::size_t>(o.n_threads, 1);
  if (o.n_threads_batch == 0) o.n_threads_batch = o.n_threads;
  o.n_ubatch = std::clamp<std::size_t>(o.n_ubatch, 1, o.n_ctx);
  return o;
}

MemoryPlan checked_plan(const Model& model, const DecoderOptions& options) {
  const MemoryPlan plan = plan_memory(model, options);
  check_memory(plan, available_memory());
  return plan;
}

/// Query heads that share a KV head, in the layer where they are most.
std::size_t most_grouped(const ModelConfig& c) {
  std::size_t most = 1;
  for (std::size_t i = 0; i < c.n_layer; ++i)
    most = std::max<std::size_t>(most, c.n_head[i] / c.n_head_kv[i]);
  return most;
}

bool all_finite(std::span<const float> values) {
  // A sum of zeros unless some value is NaN or infinite: no branch in the loop.
  float sum = 0.0f;
  for (const float v : values) sum += v * 0.0f;
  return sum == 0.0f;
}

void embed_row(const Pass& pass, std::size_t row) noexcept {
  const Matrix& table = pass.weights.token_embd;
  const auto token = static_cast<std::size_t>(pass.rows[row].token);
  pass.weights.embed->run(
      {.out = pass.scratch.x + row * table.k, .blocks = table.data + token * table.stride, .k = table.k});
  const std::size_t n_pairs = pass.rope.n_pairs();
  pass.rope.angles(pass.rows[row].position, pass.scratch.cos + row * n_pairs,
                   pass.scratch.sin + row * n_pairs);
}

/// The whole model on one thread's side; every thread of the team runs this.
void run_layers(const Pass& pass, Team::Worker& worker) noexcept {
  const Scratch& s = pass.scratch;
  for (std::size_t layer = 0; layer < pass.config.n_layer; ++layer) {
    const LayerWeights& w = pass.weights.layers[layer];
    const FormSet qkv_forms = forms_of({&w.attn_q, &w.attn_k, &w.attn_v}, pass.regime);
    worker.for_each(pass.m(), [&](std::size_t row) {
      if (layer == 0) {
        embed_row(pass, row);
      } else {
        add_branch(pass, row);
      }
      norm_row(pass, row, row, w.attn_norm, qkv_forms);
    });
    attention(pass, worker, layer);

    const FormSet ffn_forms = forms_of({&w.ffn_gate, &w.ffn_up}, pass.regime);
    worker.for_each(pass.m(), [&](std::size_t row) {
      add_branch(pass, row);
      norm_row(pass, row, row, w.ffn_norm, ffn_forms);
    });
    ffn(pass, worker, layer);
  }

  const FormSet forms = forms_of({&pass.weights.output}, pass.logits_regime);
  worker.for_each(pass.logit_rows.size(), [&](std::size_t i) {
    add_branch(pass, pass.logit_rows[i]);
    norm_row(pass, pass.logit_rows[i], i, pass.weights.output_norm, forms);
  });
  const Product output[] = {{&pass.weights.output, s.logits, pass.config.n_vocab}};
  multiply(worker, output, s.activations, pass.logit_rows.size(), pass.logits_regime,
           s.panels(worker.index()));
}

}  // namespace

// Modes of the team.
constexpr std::size_t kFewRowsMode = 0, kManyRowsMode = 1;

struct Decoder::State {
  State(std::shared_ptr<const Model> m, const DecoderOptions& o)
      : model(std::move(m)),
        options(complete(*model, o)),
        ops(model->config(), options.type_k, options.type_v, model->features()),
        plan(checked_plan(*model, options)),
        rope(model->config(), model->weights(), options.n_ctx),
        cache(std::make_shared<KvCache>(model->config(), plan.n_pages * kPageCells, options.type_k,
                                        options.type_v)),
        scratch(model->config(), model->weights(), options.n_ubatch,
                std::max(options.n_threads, options.n_threads_batch)),
        team(std::max(options.n_threads, options.n_threads_batch),
             {options.threads, options.threads_batch.value_or(options.threads)}),
        block_rows(std::max<std::size_t>(1, kQueryBlock / most_grouped(model->config()))) {
    options.n_threads = std::min(options.n_threads, team.size());
    options.n_threads_batch = std::min(options.n_threads_batch, team.size());
    rows.reserve(options.n_ubatch);
    blocks.reserve(options.n_ubatch);
    logit_rows.reserve(options.n_ubatch);
    growth.reserve(options.n_ubatch);
  }

  Regime regime(std::size_t m) const {
    return m <= kFewRows || options.batch_invariant ? Regime::Few : Regime::Many;
  }
  void check(const Batch& batch) const;
  void make_room(const Batch& batch);
  void lay_out(const Batch& batch);
  bool run(const std::function<bool()>& stop);
  void take_back();
  void check_logits() const;

  std::shared_ptr<const Model> model;
  DecoderOptions options;
  Operations ops;
  MemoryPlan plan;
  Rope rope;
  std::shared_ptr<KvCache> cache;
  Scratch scratch;
  Team team;               // after all memory: what its threads need is probed last
  std::size_t block_rows;  // most rows of a RowBlock

  // The batch in work, in memory that is kept from pass to pass.
  struct Growth {
    Sequence* sequence;
    std::size_t n;  // rows in the batch
  };
  std::vector<Growth> growth;
  std::vector<PassRow> rows;
  std::vector<RowBlock> blocks;
  std::vector<std::size_t> logit_rows;
};

void Decoder::State::check(const Batch& batch) const {
  if (batch.empty() || batch.size() > options.n_ubatch) {
    throw Error(ErrorCode::bad_argument, "a batch of " + std::to_string(batch.size()) + " rows; 1 to " +
                                             std::to_string(options.n_ubatch) + " are allowed");
  }
  for (const BatchRow& row : batch) {
    const auto token = static_cast<std::int64_t>(row.token);
    if (token < 0 || token >= static_cast<std::int64_t>(model->config().n_vocab)) {
      throw Error(ErrorCode::bad_argument, "token " + std::to_string(token) + "; 0 to " +
                                               std::to_string(model->config().n_vocab - 1) + " is allowed");
    }
  }
}

/// Pages for every sequence of the batch, or none for any.
void Decoder::State::make_room(const Batch& batch) {
  growth.clear();
  for (const BatchRow& row : batch) {
    auto at = std::find_if(growth.rbegin(), growth.rend(),
                           [&](const Growth& g) { return g.sequence == row.sequence; });
    if (at != growth.rend()) {
      ++at->n;
    } else {
      growth.push_back({row.sequence, 1});
    }
  }
  std::size_t n_pages = 0;
  for (const Growth& g : growth) {
    n_pages += g.sequence->pages_needed(g.n);
    if (g.sequence->size() + g.n > options.n_ctx) n_pages = cache->n_pages() + 1;
  }
  if (n_pages > cache->n_free()) {
    throw Error(ErrorCode::out_of_memory,
                "the context of " + std::to_string(options.n_ctx) + " positions is full");
  }
  for (const Growth& g : growth) g.sequence->reserve(g.n);
}

void Decoder::State::lay_out(const Batch& batch) {
  rows.clear();
  blocks.clear();
  logit_rows.clear();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    Sequence& sequence = *batch[i].sequence;
    rows.push_back({batch[i].token, sequence.size(), sequence.pages().data()});
    sequence.append(batch[i].token);
    if (batch[i].wants_logits) logit_rows.push_back(i);
    if (i > 0 && batch[i - 1].sequence == &sequence && blocks.back().n < block_rows) {
      ++blocks.back().n;
    } else {
      blocks.push_back({i, 1});
    }
  }
}

bool Decoder::State::run(const std::function<bool()>& stop) {
  const Pass pass{
      model->config(),     model->weights(),         ops, rope, *cache, scratch, rows, blocks, logit_rows,
      regime(rows.size()), regime(logit_rows.size())};
  const bool few = pass.regime == Regime::Few;
  return team.run(
      few ? options.n_threads : options.n_threads_batch,
      [&](Team::Worker& worker) { run_layers(pass, worker); }, stop, few ? kFewRowsMode : kManyRowsMode);
}

/// Undoes what make_room() and lay_out() did to the sequences.
void Decoder::State::take_back() {
  for (const Growth& g : growth) g.sequence->trim(g.sequence->size() - g.n);
  logit_rows.clear();
}

void Decoder::State::check_logits() const {
  const std::size_t n_vocab = model->config().n_vocab;
  for (std::size_t i = 0; i < logit_rows.size(); ++i) {
    if (all_finite({scratch.logits + i * n_vocab, n_vocab})) continue;
    throw Error(ErrorCode::not_finite, {model->path(), {}, ""},
                "logits at position " + std::to_string(rows[logit_rows[i]].position) +
                    " are not finite; the weights hold NaN or infinite values, or their products overflow");
  }
}

Decoder::Decoder(std::shared_ptr<const Model> model, const DecoderOptions& options)
    : state_(std::make_unique<State>(std::move(model), options)) {}
Decoder::~Decoder() = default;

const Model& Decoder::model() const { return *state_->model; }
const DecoderOptions& Decoder::options() const { return state_->options; }
const MemoryPlan& Decoder::memory() const { return state_->plan; }
const KvCache& Decoder::kv_cache() const { return *state_->cache; }

Sequence Decoder::new_sequence() { return Sequence(state_->cache); }

bool Decoder::forward(const Batch& batch, const std::function<bool()>& stop) {
  state_->check(batch);
  state_->make_room(batch);
  state_->lay_out(batch);
  if (!state_->run(stop)) {
    state_->take_back();
    return false;
  }
  state_->check_logits();
  return true;
}

std::span<const float> Decoder::logits(std::size_t i) const {
  const std::size_t n_vocab = state_->model->config().n_vocab;
  return {state_->scratch.logits + i * n_vocab, n_vocab};
}

std::size_t Decoder::n_logits() const { return state_->logit_rows.size(); }

bool Decoder::prefill(Sequence& sequence, std::span<const TokenId> tokens, const std::function<bool()>& stop,
                      const std::function<void(std::size_t)>& done) {
  Batch batch;
  for (std::size_t first = 0; first < tokens.size(); first += state_->options.n_ubatch) {
    const std::size_t n = std::min(state_->options.n_ubatch, tokens.size() - first);
    batch.clear();
    for (std::size_t i = first; i < first + n; ++i)
      batch.push_back({tokens[i], &sequence, i + 1 == tokens.size()});
    if (!forward(batch, stop)) return false;
    if (done) done(first + n);
  }
  return true;
}

}  // namespace armature
