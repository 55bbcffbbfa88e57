#pragma once

#include "kernels/avx512_vnni/blocks_256.h"
#include "kernels/avx512_vnni/blocks_32.h"

namespace armature::kernels::avx512_vnni {
namespace {

/// y of MatmulArgs for types of 32 weights to a block.
template <class Type>
void few_rows_32(const MatmulArgs& a) {
  for (std::size_t column = 0; column < a.n; ++column) {
    std::size_t row = 0;
    for (; row + 4 <= a.m; row += 4) Column32<Type, 4>{a, row, column, {}}.run();
    if (row + 2 <= a.m) {
      Column32<Type, 2>{a, row, column, {}}.run();
      row += 2;
    }
    if (row < a.m) Column32<Type, 1>{a, row, column, {}}.run();
  }
}

/// y of MatmulArgs for types of 256 weights to a block.
template <class Type>
void few_rows_256(const MatmulArgs& a) {
  for (std::size_t column = 0; column < a.n; ++column) {
    std::size_t row = 0;
    for (; row + 4 <= a.m; row += 4) column_256<Type, 4>(a, row, column);
    if (row + 2 <= a.m) {
      column_256<Type, 2>(a, row, column);
      row += 2;
    }
    if (row < a.m) column_256<Type, 1>(a, row, column);
  }
}

}  // namespace
}  // namespace armature::kernels::avx512_vnni
