#include "engine/linear.h"

#include <algorithm>

namespace armature {

namespace {

constexpr std::size_t kPanelMemory = 256 * 1024;  // of unpacked weights in use at a time: half of a small L2
constexpr std::size_t kRowBlock = 64;  // rows of activations that stay in cache while panels pass over them
constexpr std::size_t kChunksPerThread = 8;  // enough for a thread that lost its core to be made up for
constexpr std::size_t kRowsPerChunk = 16;    // at least: a chunk costs an atomic operation

struct Range {
  std::size_t begin, end;
};

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

std::size_t panels_at_once(const Matrix& w) {
  return std::max<std::size_t>(1, kPanelMemory / w.many->bytes(w.k));
}

/// Weight rows of one chunk.
std::size_t chunk_rows(const Matrix& w, Regime regime, std::size_t n_threads) {
  const std::size_t fair = divide_up(w.n, n_threads * kChunksPerThread);
  if (regime == Regime::Few) return divide_up(fair, kRowsPerChunk) * kRowsPerChunk;
  const std::size_t tile = w.many->n_tile;
  return std::clamp<std::size_t>(divide_up(fair, tile), 1, panels_at_once(w)) * tile;
}

void add_bias(const Product& p, Range rows, std::size_t m) noexcept {
  if (p.matrix->bias.empty()) return;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = rows.begin; j < rows.end; ++j) p.y[i * p.y_stride + j] += p.matrix->bias[j];
  }
}

void multiply_few(const Product& p, Range rows, const Activations& x, std::size_t m) noexcept {
  const Matrix& w = *p.matrix;
  w.few->run({.y = p.y + rows.begin,
              .y_stride = p.y_stride,
              .x = x.operand(w.few->form),
              .w = w.data + rows.begin * w.stride,
              .w_stride = w.stride,
              .m = m,
              .n = rows.end - rows.begin,
              .k = w.k});
}

void multiply_many(const Product& p, Range rows, const Activations& x, std::size_t m,
                   std::byte* panels) noexcept {
  const Matrix& w = *p.matrix;
  const std::size_t bytes = w.many->bytes(w.k), tile = w.many->n_tile;
  const auto panel = [&](std::size_t i) { return reinterpret_cast<std::uint8_t*>(panels) + i * bytes; };
  const std::size_t n_panels = divide_up(rows.end - rows.begin, tile);
  const auto panel_rows = [&](std::size_t i) { return std::min(tile, rows.end - rows.begin - i * tile); };
  for (std::size_t i = 0; i < n_panels; ++i) {
    w.many->unpack({.panel = panel(i),
                    .w = w.data + (rows.begin + i * tile) * w.stride,
                    .w_stride = w.stride,
                    .n = panel_rows(i),
                    .k = w.k});
  }
  for (std::size_t row = 0; row < m; row += kRowBlock) {
    for (std::size_t i = 0; i < n_panels; ++i) {
      w.many->run({.y = p.y + row * p.y_stride + rows.begin + i * tile,
                   .y_stride = p.y_stride,
                   .x = x.operand(w.many->form, row),
                   .panel = panel(i),
                   .m = std::min(kRowBlock, m - row),
                   .n = panel_rows(i),
                   .k = w.k});
    }
  }
}

}  // namespace

kernels::Form form_of(const Matrix& matrix, Regime regime) {
  return regime == Regime::Few ? matrix.few->form : matrix.many->form;
}

FormSet forms_of(std::initializer_list<const Matrix*> matrices, Regime regime) {
  FormSet forms;
  for (const Matrix* m : matrices) forms.add(form_of(*m, regime));
  return forms;
}

std::size_t panel_bytes(const Matrix& matrix) {
  return panels_at_once(matrix) * matrix.many->bytes(matrix.k);
}

void multiply(Team::Worker& worker, std::span<const Product> products, const Activations& x, std::size_t m,
              Regime regime, std::byte* panels) noexcept {
  const auto n_chunks = [&](const Product& p) {
    return divide_up(p.matrix->n, chunk_rows(*p.matrix, regime, worker.n_threads()));
  };
  std::size_t total = 0;
  for (const Product& p : products) total += n_chunks(p);
  worker.for_each(total, [&](std::size_t chunk) {
    const Product* p = products.data();
    for (std::size_t n; chunk >= (n = n_chunks(*p)); ++p) chunk -= n;
    const std::size_t step = chunk_rows(*p->matrix, regime, worker.n_threads());
    const Range rows{chunk * step, std::min((chunk + 1) * step, p->matrix->n)};
    if (regime == Regime::Few) {
      multiply_few(*p, rows, x, m);
    } else {
      multiply_many(*p, rows, x, m, panels);
    }
    add_bias(*p, rows, m);
  });
}

}  // namespace armature
