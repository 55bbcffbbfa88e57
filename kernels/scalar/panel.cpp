#include "kernels/scalar/panel.h"

#include "kernels/rows.h"
#include "kernels/scalar/product.h"

namespace armature::kernels::scalar {

std::size_t panel_bytes(std::size_t k) noexcept { return kPanelRows * k * sizeof(float); }

void panel_product(const PanelArgs& a) noexcept {
  const float* panel = reinterpret_cast<const float*>(a.panel);
  for (std::size_t column = 0; column < a.n; ++column)
    for (std::size_t row = 0; row < a.m; ++row) {
      DotSum sum;
      sum.add(a.x.values + row * a.x.values_stride, panel + column * a.k, a.k);
      a.y[row * a.y_stride + column] = sum.total();
    }
}

}  // namespace armature::kernels::scalar
