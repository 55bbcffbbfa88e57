#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {

std::size_t int8_panel_bytes_32(std::size_t k) noexcept { return k / 32 * strip_bytes(32, false); }
std::size_t int8_panel_bytes_32_offsets(std::size_t k) noexcept { return k / 32 * strip_bytes(32, true); }
std::size_t int8_panel_bytes_16(std::size_t k) noexcept { return k / 32 * strip_bytes(16, false); }
std::size_t int8_panel_bytes_16_offsets(std::size_t k) noexcept { return k / 32 * strip_bytes(16, true); }

}  // namespace armature::kernels::avx2
