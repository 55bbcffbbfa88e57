#include "engine/pass.h"

namespace armature {

void add_branch(const Pass& pass, std::size_t row) noexcept {
  const std::size_t n = pass.config.n_embd;
  float* x = pass.scratch.x + row * n;
  const float* branch = pass.scratch.branch + row * n;
  for (std::size_t i = 0; i < n; ++i) x[i] += branch[i];
}

void norm_row(const Pass& pass, std::size_t row, std::size_t to, const std::vector<float>& weight,
              FormSet forms) noexcept {
  const std::size_t n = pass.config.n_embd;
  pass.ops.norm->run({.out = pass.scratch.activations.row(to),
                      .out_stride = n,
                      .x = pass.scratch.x + row * n,
                      .x_stride = n,
                      .weight = weight.data(),
                      .bias = nullptr,
                      .m = 1,
                      .n = n,
                      .eps = pass.config.norm_eps});
  pass.scratch.activations.round(to, n, forms, pass.ops);
}

}  // namespace armature
