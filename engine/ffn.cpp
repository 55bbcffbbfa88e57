#include "engine/ffn.h"

namespace armature {

void ffn(const Pass& pass, Team::Worker& worker, std::size_t layer) noexcept {
  const Scratch& s = pass.scratch;
  const LayerWeights& w = pass.weights.layers[layer];
  const Product inner[] = {{&w.ffn_gate, s.gate, s.ff_width}, {&w.ffn_up, s.up, s.ff_width}};
  multiply(worker, inner, s.activations, pass.m(), pass.regime, s.panels(worker.index()));

  const FormSet forms = forms_of({&w.ffn_down}, pass.regime);
  worker.for_each(pass.m(), [&](std::size_t row) {
    pass.ops.activation->run({.out = s.activations.row(row),
                              .gate = s.gate + row * s.ff_width,
                              .up = s.up + row * s.ff_width,
                              .n = w.ffn_down.k});
    s.activations.round(row, w.ffn_down.k, forms, pass.ops);
  });
  const Product down[] = {{&w.ffn_down, s.branch, pass.config.n_embd}};
  multiply(worker, down, s.activations, pass.m(), pass.regime, s.panels(worker.index()));
}

}  // namespace armature
