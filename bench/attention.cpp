#include <limits>
#include <vector>

#include "bench/rows.h"
#include "gguf/types.h"

/// Attention: one tile of keys and values with the queries of one group, as in decoding.
namespace armature::bench {
namespace {

using kernels::AttentionRow;

constexpr std::size_t kQueries = 4, kKeys = kernels::kMaxTileKeys, kHeadDim = 128;

void run_attention(benchmark::State& state, const AttentionRow& row) {
  const std::size_t k_bytes = gguf::row_bytes(row.k, kKeys * kHeadDim);
  const std::size_t v_bytes = gguf::row_bytes(row.v, kKeys * kHeadDim);
  const std::vector<std::byte> k(k_bytes), v(v_bytes);  // zeros
  const std::vector<float> q(kQueries * kHeadDim, 1.0f);
  const std::vector<std::int32_t> lo(kQueries, 0), hi(kQueries, static_cast<std::int32_t>(kKeys));
  std::vector<float> max(kQueries), sum(kQueries), acc(kQueries * kHeadDim);
  repeat(state,
         {.bytes = static_cast<double>(k_bytes + v_bytes),
          .multiply_adds = static_cast<double>(kQueries * kKeys * 2 * kHeadDim),
          .arithmetic = kernels::Arithmetic::F32},
         [&] {
           max.assign(kQueries, -std::numeric_limits<float>::infinity());
           sum.assign(kQueries, 0);
           row.run({q.data(), kHeadDim, k.data(), v.data(), kHeadDim, kHeadDim, lo.data(), hi.data(),
                    max.data(), sum.data(), acc.data(), kHeadDim, kQueries, kKeys, kHeadDim, kHeadDim, 0});
         });
}

}  // namespace

void register_attention() {
  for (const AttentionRow& row : kernels::attention_rows())
    register_row(row, "attention",
                 std::string(gguf::type_info(row.k).name) + "/" + std::string(gguf::type_info(row.v).name),
                 run_attention);
}

}  // namespace armature::bench
