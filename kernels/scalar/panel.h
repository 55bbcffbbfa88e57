#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/args.h"
#include "kernels/scalar/weights.h"

/// The scalar panel: kPanelRows rows of k decoded weights in f32.
namespace armature::kernels::scalar {

inline constexpr std::size_t kPanelRows = 4;

template <class Type>
void unpack_panel(const UnpackArgs& a) {
  float* row = reinterpret_cast<float*>(a.panel);
  for (std::size_t i = 0; i < a.n; ++i, row += a.k) dequantize<Type>({row, a.w + i * a.w_stride, a.k});
  std::fill(row, row + (kPanelRows - a.n) * a.k, 0.0f);
}

}  // namespace armature::kernels::scalar
