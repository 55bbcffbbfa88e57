#include <arm_neon.h>

#include <cstddef>

#include "kernels/args.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {

void store_f16(const StoreArgs& a) noexcept {
  auto* out = static_cast<float16_t*>(a.out);
  std::size_t i = 0;
  for (; i + kLanes <= a.n; i += kLanes) vst1_f16(out + i, vcvt_f16_f32(vld1q_f32(a.x + i)));
  for (; i < a.n; ++i) out[i] = static_cast<float16_t>(a.x[i]);
}

}  // namespace armature::kernels::neon
