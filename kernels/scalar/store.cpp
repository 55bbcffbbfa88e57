#include <cstring>

#include "kernels/rows.h"
#include "kernels/scalar/half.h"

namespace armature::kernels::scalar {

void store_f32(const StoreArgs& a) noexcept { std::memcpy(a.out, a.x, a.n * sizeof(float)); }

void store_f16(const StoreArgs& a) noexcept {
  auto* out = static_cast<std::uint16_t*>(a.out);
  for (std::size_t i = 0; i < a.n; ++i) out[i] = f16_from_f32(a.x[i]);
}

}  // namespace armature::kernels::scalar
