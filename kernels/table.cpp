#include <algorithm>

#include "gguf/error.h"
#include "kernels/kernels.h"
#include "kernels/rows.h"
#include "kernels/scalar/panel.h"

/// The inventory. In each array, better ISAs come first and scalar last; among the scalar rows of a weight
/// type the most exact form comes first, and the others are there as definitions.
namespace armature::kernels {
namespace {

using enum TensorType;

constexpr MatmulRow kMatmul[] = {
#if defined(__x86_64__)
    {cpu::kAvx512Vnni, Q4_0, Form::Q8_32, avx512_vnni::matmul_q4_0_q8_32, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q4_1, Form::Q8_32, avx512_vnni::matmul_q4_1_q8_32, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q5_0, Form::Q8_32, avx512_vnni::matmul_q5_0_q8_32, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q5_1, Form::Q8_32, avx512_vnni::matmul_q5_1_q8_32, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q8_0, Form::Q8_32, avx512_vnni::matmul_q8_0_q8_32, "avx512_vnni"},
    {cpu::kAvx512Vnni, IQ4_NL, Form::Q8_32, avx512_vnni::matmul_iq4_nl_q8_32, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q2_K, Form::Q8_256, avx512_vnni::matmul_q2_k_q8_256, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q3_K, Form::Q8_256, avx512_vnni::matmul_q3_k_q8_256, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q4_K, Form::Q8_256, avx512_vnni::matmul_q4_k_q8_256, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q5_K, Form::Q8_256, avx512_vnni::matmul_q5_k_q8_256, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q6_K, Form::Q8_256, avx512_vnni::matmul_q6_k_q8_256, "avx512_vnni"},
    {cpu::kAvx512Vnni, IQ4_XS, Form::Q8_256, avx512_vnni::matmul_iq4_xs_q8_256, "avx512_vnni"},
    {cpu::kAvx512, F32, Form::F32, avx512::matmul_f32_f32, "avx512"},
    {cpu::kAvx512, F16, Form::F32, avx512::matmul_f16_f32, "avx512"},
    {cpu::kAvx512, BF16, Form::F32, avx512::matmul_bf16_f32, "avx512"},
    {cpu::kAvx2, F32, Form::F32, avx2::matmul_f32_f32, "avx2"},
    {cpu::kAvx2, F16, Form::F32, avx2::matmul_f16_f32, "avx2"},
    {cpu::kAvx2, BF16, Form::F32, avx2::matmul_bf16_f32, "avx2"},
    {cpu::kAvx2, Q4_0, Form::Q8_32, avx2::matmul_q4_0_q8_32, "avx2"},
    {cpu::kAvx2, Q4_1, Form::Q8_32, avx2::matmul_q4_1_q8_32, "avx2"},
    {cpu::kAvx2, Q5_0, Form::Q8_32, avx2::matmul_q5_0_q8_32, "avx2"},
    {cpu::kAvx2, Q5_1, Form::Q8_32, avx2::matmul_q5_1_q8_32, "avx2"},
    {cpu::kAvx2, Q8_0, Form::Q8_32, avx2::matmul_q8_0_q8_32, "avx2"},
    {cpu::kAvx2, IQ4_NL, Form::Q8_32, avx2::matmul_iq4_nl_q8_32, "avx2"},
    {cpu::kAvx2, Q2_K, Form::Q8_256, avx2::matmul_q2_k_q8_256, "avx2"},
    {cpu::kAvx2, Q3_K, Form::Q8_256, avx2::matmul_q3_k_q8_256, "avx2"},
    {cpu::kAvx2, Q4_K, Form::Q8_256, avx2::matmul_q4_k_q8_256, "avx2"},
    {cpu::kAvx2, Q5_K, Form::Q8_256, avx2::matmul_q5_k_q8_256, "avx2"},
    {cpu::kAvx2, Q6_K, Form::Q8_256, avx2::matmul_q6_k_q8_256, "avx2"},
    {cpu::kAvx2, IQ4_XS, Form::Q8_256, avx2::matmul_iq4_xs_q8_256, "avx2"},
#elif defined(__aarch64__)
    {cpu::kDotprod, Q4_0, Form::Q8_32, dotprod::matmul_q4_0_q8_32, "dotprod"},
    {cpu::kDotprod, Q4_1, Form::Q8_32, dotprod::matmul_q4_1_q8_32, "dotprod"},
    {cpu::kDotprod, Q5_0, Form::Q8_32, dotprod::matmul_q5_0_q8_32, "dotprod"},
    {cpu::kDotprod, Q5_1, Form::Q8_32, dotprod::matmul_q5_1_q8_32, "dotprod"},
    {cpu::kDotprod, Q8_0, Form::Q8_32, dotprod::matmul_q8_0_q8_32, "dotprod"},
    {cpu::kDotprod, Q2_K, Form::Q8_256, dotprod::matmul_q2_k_q8_256, "dotprod"},
    {cpu::kDotprod, Q3_K, Form::Q8_256, dotprod::matmul_q3_k_q8_256, "dotprod"},
    {cpu::kDotprod, Q4_K, Form::Q8_256, dotprod::matmul_q4_k_q8_256, "dotprod"},
    {cpu::kDotprod, Q5_K, Form::Q8_256, dotprod::matmul_q5_k_q8_256, "dotprod"},
    {cpu::kDotprod, Q6_K, Form::Q8_256, dotprod::matmul_q6_k_q8_256, "dotprod"},
    {cpu::kDotprod, IQ4_NL, Form::Q8_32, dotprod::matmul_iq4_nl_q8_32, "dotprod"},
    {cpu::kDotprod, IQ4_XS, Form::Q8_256, dotprod::matmul_iq4_xs_q8_256, "dotprod"},
    {cpu::kNeon, F32, Form::F32, neon::matmul_f32_f32, "neon"},
    {cpu::kNeon, F16, Form::F32, neon::matmul_f16_f32, "neon"},
    {cpu::kNeon, BF16, Form::F32, neon::matmul_bf16_f32, "neon"},
    {cpu::kNeon, Q4_0, Form::Q8_32, neon::matmul_q4_0_q8_32, "neon"},
    {cpu::kNeon, Q4_1, Form::Q8_32, neon::matmul_q4_1_q8_32, "neon"},
    {cpu::kNeon, Q5_0, Form::Q8_32, neon::matmul_q5_0_q8_32, "neon"},
    {cpu::kNeon, Q5_1, Form::Q8_32, neon::matmul_q5_1_q8_32, "neon"},
    {cpu::kNeon, Q8_0, Form::Q8_32, neon::matmul_q8_0_q8_32, "neon"},
    {cpu::kNeon, Q2_K, Form::Q8_256, neon::matmul_q2_k_q8_256, "neon"},
    {cpu::kNeon, Q3_K, Form::Q8_256, neon::matmul_q3_k_q8_256, "neon"},
    {cpu::kNeon, Q4_K, Form::Q8_256, neon::matmul_q4_k_q8_256, "neon"},
    {cpu::kNeon, Q5_K, Form::Q8_256, neon::matmul_q5_k_q8_256, "neon"},
    {cpu::kNeon, Q6_K, Form::Q8_256, neon::matmul_q6_k_q8_256, "neon"},
    {cpu::kNeon, IQ4_NL, Form::Q8_32, neon::matmul_iq4_nl_q8_32, "neon"},
    {cpu::kNeon, IQ4_XS, Form::Q8_256, neon::matmul_iq4_xs_q8_256, "neon"},
#endif
    {cpu::kNone, F32, Form::F32, scalar::matmul_f32_f32, "scalar"},
    {cpu::kNone, F16, Form::F32, scalar::matmul_f16_f32, "scalar"},
    {cpu::kNone, BF16, Form::F32, scalar::matmul_bf16_f32, "scalar"},
    {cpu::kNone, Q4_0, Form::F32, scalar::matmul_q4_0_f32, "scalar"},
    {cpu::kNone, Q4_1, Form::F32, scalar::matmul_q4_1_f32, "scalar"},
    {cpu::kNone, Q5_0, Form::F32, scalar::matmul_q5_0_f32, "scalar"},
    {cpu::kNone, Q5_1, Form::F32, scalar::matmul_q5_1_f32, "scalar"},
    {cpu::kNone, Q8_0, Form::F32, scalar::matmul_q8_0_f32, "scalar"},
    {cpu::kNone, Q2_K, Form::F32, scalar::matmul_q2_k_f32, "scalar"},
    {cpu::kNone, Q3_K, Form::F32, scalar::matmul_q3_k_f32, "scalar"},
    {cpu::kNone, Q4_K, Form::F32, scalar::matmul_q4_k_f32, "scalar"},
    {cpu::kNone, Q5_K, Form::F32, scalar::matmul_q5_k_f32, "scalar"},
    {cpu::kNone, Q6_K, Form::F32, scalar::matmul_q6_k_f32, "scalar"},
    {cpu::kNone, IQ4_NL, Form::F32, scalar::matmul_iq4_nl_f32, "scalar"},
    {cpu::kNone, IQ4_XS, Form::F32, scalar::matmul_iq4_xs_f32, "scalar"},
    {cpu::kNone, Q4_0, Form::Q8_32, scalar::matmul_q4_0_q8_32, "scalar"},
    {cpu::kNone, Q4_1, Form::Q8_32, scalar::matmul_q4_1_q8_32, "scalar"},
    {cpu::kNone, Q5_0, Form::Q8_32, scalar::matmul_q5_0_q8_32, "scalar"},
    {cpu::kNone, Q5_1, Form::Q8_32, scalar::matmul_q5_1_q8_32, "scalar"},
    {cpu::kNone, Q8_0, Form::Q8_32, scalar::matmul_q8_0_q8_32, "scalar"},
    {cpu::kNone, IQ4_NL, Form::Q8_32, scalar::matmul_iq4_nl_q8_32, "scalar"},
    {cpu::kNone, Q2_K, Form::Q8_256, scalar::matmul_q2_k_q8_256, "scalar"},
    {cpu::kNone, Q3_K, Form::Q8_256, scalar::matmul_q3_k_q8_256, "scalar"},
    {cpu::kNone, Q4_K, Form::Q8_256, scalar::matmul_q4_k_q8_256, "scalar"},
    {cpu::kNone, Q5_K, Form::Q8_256, scalar::matmul_q5_k_q8_256, "scalar"},
    {cpu::kNone, Q6_K, Form::Q8_256, scalar::matmul_q6_k_q8_256, "scalar"},
    {cpu::kNone, IQ4_XS, Form::Q8_256, scalar::matmul_iq4_xs_q8_256, "scalar"},
};

constexpr PanelRow scalar_panel(TensorType weights, UnpackFn* unpack) {
  return {
      cpu::kNone, weights, Form::F32, scalar::kPanelRows, scalar::panel_bytes, unpack, scalar::panel_product,
      "scalar"};
}

constexpr PanelRow kPanel[] = {
#if defined(__x86_64__)
    {cpu::kAvx512Vnni, Q4_0, Form::Q8_32, 32, avx2::int8_panel_bytes_32, avx2::unpack_q4_0,
     avx512_vnni::panel_product_q4_0, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q4_1, Form::Q8_32, 32, avx2::int8_panel_bytes_32_offsets, avx2::unpack_q4_1,
     avx512_vnni::panel_product_q4_1, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q5_0, Form::Q8_32, 32, avx2::int8_panel_bytes_32, avx2::unpack_q5_0,
     avx512_vnni::panel_product_q5_0, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q5_1, Form::Q8_32, 32, avx2::int8_panel_bytes_32_offsets, avx2::unpack_q5_1,
     avx512_vnni::panel_product_q5_1, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q8_0, Form::Q8_32, 32, avx2::int8_panel_bytes_32, avx2::unpack_q8_0,
     avx512_vnni::panel_product_q8_0, "avx512_vnni"},
    {cpu::kAvx512Vnni, IQ4_NL, Form::Q8_32, 32, avx2::int8_panel_bytes_32, avx2::unpack_iq4_nl,
     avx512_vnni::panel_product_iq4_nl, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q2_K, Form::Q8_256, 32, avx2::int8_panel_bytes_16_offsets, avx2::unpack_q2_k,
     avx512_vnni::panel_product_q2_k, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q3_K, Form::Q8_256, 32, avx2::int8_panel_bytes_16, avx2::unpack_q3_k,
     avx512_vnni::panel_product_q3_k, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q4_K, Form::Q8_256, 32, avx2::int8_panel_bytes_32_offsets, avx2::unpack_q4_k,
     avx512_vnni::panel_product_q4_k, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q5_K, Form::Q8_256, 32, avx2::int8_panel_bytes_32_offsets, avx2::unpack_q5_k,
     avx512_vnni::panel_product_q5_k, "avx512_vnni"},
    {cpu::kAvx512Vnni, Q6_K, Form::Q8_256, 32, avx2::int8_panel_bytes_16, avx2::unpack_q6_k,
     avx512_vnni::panel_product_q6_k, "avx512_vnni"},
    {cpu::kAvx512Vnni, IQ4_XS, Form::Q8_256, 32, avx2::int8_panel_bytes_32, avx2::unpack_iq4_xs,
     avx512_vnni::panel_product_iq4_xs, "avx512_vnni"},
    {cpu::kAvx512, F32, Form::F32, 32, avx2::float_panel_bytes, avx2::unpack_f32, avx512::float_panel_product,
     "avx512"},
    {cpu::kAvx512, F16, Form::F32, 32, avx2::float_panel_bytes, avx2::unpack_f16, avx512::float_panel_product,
     "avx512"},
    {cpu::kAvx512, BF16, Form::F32, 32, avx2::float_panel_bytes, avx2::unpack_bf16,
     avx512::float_panel_product, "avx512"},
    {cpu::kAvx2, F32, Form::F32, 32, avx2::float_panel_bytes, avx2::unpack_f32, avx2::float_panel_product,
     "avx2"},
    {cpu::kAvx2, F16, Form::F32, 32, avx2::float_panel_bytes, avx2::unpack_f16, avx2::float_panel_product,
     "avx2"},
    {cpu::kAvx2, BF16, Form::F32, 32, avx2::float_panel_bytes, avx2::unpack_bf16, avx2::float_panel_product,
     "avx2"},
    {cpu::kAvx2, Q4_0, Form::Q8_32, 32, avx2::int8_panel_bytes_32, avx2::unpack_q4_0,
     avx2::panel_product_q4_0, "avx2"},
    {cpu::kAvx2, Q4_1, Form::Q8_32, 32, avx2::int8_panel_bytes_32_offsets, avx2::unpack_q4_1,
     avx2::panel_product_q4_1, "avx2"},
    {cpu::kAvx2, Q5_0, Form::Q8_32, 32, avx2::int8_panel_bytes_32, avx2::unpack_q5_0,
     avx2::panel_product_q5_0, "avx2"},
    {cpu::kAvx2, Q5_1, Form::Q8_32, 32, avx2::int8_panel_bytes_32_offsets, avx2::unpack_q5_1,
     avx2::panel_product_q5_1, "avx2"},
    {cpu::kAvx2, Q8_0, Form::Q8_32, 32, avx2::int8_panel_bytes_32, avx2::unpack_q8_0,
     avx2::panel_product_q8_0, "avx2"},
    {cpu::kAvx2, IQ4_NL, Form::Q8_32, 32, avx2::int8_panel_bytes_32, avx2::unpack_iq4_nl,
     avx2::panel_product_iq4_nl, "avx2"},
    {cpu::kAvx2, Q2_K, Form::Q8_256, 32, avx2::int8_panel_bytes_16_offsets, avx2::unpack_q2_k,
     avx2::panel_product_q2_k, "avx2"},
    {cpu::kAvx2, Q3_K, Form::Q8_256, 32, avx2::int8_panel_bytes_16, avx2::unpack_q3_k,
     avx2::panel_product_q3_k, "avx2"},
    {cpu::kAvx2, Q4_K, Form::Q8_256, 32, avx2::int8_panel_bytes_32_offsets, avx2::unpack_q4_k,
     avx2::panel_product_q4_k, "avx2"},
    {cpu::kAvx2, Q5_K, Form::Q8_256, 32, avx2::int8_panel_bytes_32_offsets, avx2::unpack_q5_k,
     avx2::panel_product_q5_k, "avx2"},
    {cpu::kAvx2, Q6_K, Form::Q8_256, 32, avx2::int8_panel_bytes_16, avx2::unpack_q6_k,
     avx2::panel_product_q6_k, "avx2"},
    {cpu::kAvx2, IQ4_XS, Form::Q8_256, 32, avx2::int8_panel_bytes_32, avx2::unpack_iq4_xs,
     avx2::panel_product_iq4_xs, "avx2"},
#elif defined(__aarch64__)
    {cpu::kDotprod, Q4_0, Form::Q8_32, 16, dotprod::panel_bytes_q8_32, dotprod::unpack_q4_0,
     dotprod::panel_product_q8_32, "dotprod"},
    {cpu::kDotprod, Q4_1, Form::Q8_32, 16, dotprod::panel_bytes_q8_32_minimum, dotprod::unpack_q4_1,
     dotprod::panel_product_q8_32_minimum, "dotprod"},
    {cpu::kDotprod, Q5_0, Form::Q8_32, 16, dotprod::panel_bytes_q8_32, dotprod::unpack_q5_0,
     dotprod::panel_product_q8_32, "dotprod"},
    {cpu::kDotprod, Q5_1, Form::Q8_32, 16, dotprod::panel_bytes_q8_32_minimum, dotprod::unpack_q5_1,
     dotprod::panel_product_q8_32_minimum, "dotprod"},
    {cpu::kDotprod, Q8_0, Form::Q8_32, 16, dotprod::panel_bytes_q8_32, dotprod::unpack_q8_0,
     dotprod::panel_product_q8_32, "dotprod"},
    {cpu::kDotprod, Q2_K, Form::Q8_256, 16, dotprod::panel_bytes_q8_256_16_minimum, dotprod::unpack_q2_k,
     dotprod::panel_product_q8_256_16_minimum, "dotprod"},
    {cpu::kDotprod, Q3_K, Form::Q8_256, 16, dotprod::panel_bytes_q8_256_16, dotprod::unpack_q3_k,
     dotprod::panel_product_q8_256_16, "dotprod"},
    {cpu::kDotprod, Q4_K, Form::Q8_256, 16, dotprod::panel_bytes_q8_256_32_minimum, dotprod::unpack_q4_k,
     dotprod::panel_product_q8_256_32_minimum, "dotprod"},
    {cpu::kDotprod, Q5_K, Form::Q8_256, 16, dotprod::panel_bytes_q8_256_32_minimum, dotprod::unpack_q5_k,
     dotprod::panel_product_q8_256_32_minimum, "dotprod"},
    {cpu::kDotprod, Q6_K, Form::Q8_256, 16, dotprod::panel_bytes_q8_256_16, dotprod::unpack_q6_k,
     dotprod::panel_product_q8_256_16, "dotprod"},
    {cpu::kDotprod, IQ4_NL, Form::Q8_32, 16, dotprod::panel_bytes_q8_32, dotprod::unpack_iq4_nl,
     dotprod::panel_product_q8_32, "dotprod"},
    {cpu::kDotprod, IQ4_XS, Form::Q8_256, 16, dotprod::panel_bytes_q8_256_32, dotprod::unpack_iq4_xs,
     dotprod::panel_product_q8_256_32, "dotprod"},
    {cpu::kNeon, F32, Form::F32, 8, neon::panel_bytes, neon::unpack_f32, neon::panel_product, "neon"},
    {cpu::kNeon, F16, Form::F32, 8, neon::panel_bytes, neon::unpack_f16, neon::panel_product, "neon"},
    {cpu::kNeon, BF16, Form::F32, 8, neon::panel_bytes, neon::unpack_bf16, neon::panel_product, "neon"},
    {cpu::kNeon, Q4_0, Form::F32, 8, neon::panel_bytes, neon::unpack_q4_0, neon::panel_product, "neon"},
    {cpu::kNeon, Q4_1, Form::F32, 8, neon::panel_bytes, neon::unpack_q4_1, neon::panel_product, "neon"},
    {cpu::kNeon, Q5_0, Form::F32, 8, neon::panel_bytes, neon::unpack_q5_0, neon::panel_product, "neon"},
    {cpu::kNeon, Q5_1, Form::F32, 8, neon::panel_bytes, neon::unpack_q5_1, neon::panel_product, "neon"},
    {cpu::kNeon, Q8_0, Form::F32, 8, neon::panel_bytes, neon::unpack_q8_0, neon::panel_product, "neon"},
    {cpu::kNeon, Q2_K, Form::F32, 8, neon::panel_bytes, neon::unpack_q2_k, neon::panel_product, "neon"},
    {cpu::kNeon, Q3_K, Form::F32, 8, neon::panel_bytes, neon::unpack_q3_k, neon::panel_product, "neon"},
    {cpu::kNeon, Q4_K, Form::F32, 8, neon::panel_bytes, neon::unpack_q4_k, neon::panel_product, "neon"},
    {cpu::kNeon, Q5_K, Form::F32, 8, neon::panel_bytes, neon::unpack_q5_k, neon::panel_product, "neon"},
    {cpu::kNeon, Q6_K, Form::F32, 8, neon::panel_bytes, neon::unpack_q6_k, neon::panel_product, "neon"},
    {cpu::kNeon, IQ4_NL, Form::F32, 8, neon::panel_bytes, neon::unpack_iq4_nl, neon::panel_product, "neon"},
    {cpu::kNeon, IQ4_XS, Form::F32, 8, neon::panel_bytes, neon::unpack_iq4_xs, neon::panel_product, "neon"},
#endif
    scalar_panel(F32, scalar::unpack_f32),
    scalar_panel(F16, scalar::unpack_f16),
    scalar_panel(BF16, scalar::unpack_bf16),
    scalar_panel(Q4_0, scalar::unpack_q4_0),
    scalar_panel(Q4_1, scalar::unpack_q4_1),
    scalar_panel(Q5_0, scalar::unpack_q5_0),
    scalar_panel(Q5_1, scalar::unpack_q5_1),
    scalar_panel(Q8_0, scalar::unpack_q8_0),
    scalar_panel(Q2_K, scalar::unpack_q2_k),
    scalar_panel(Q3_K, scalar::unpack_q3_k),
    scalar_panel(Q4_K, scalar::unpack_q4_k),
    scalar_panel(Q5_K, scalar::unpack_q5_k),
    scalar_panel(Q6_K, scalar::unpack_q6_k),
    scalar_panel(IQ4_NL, scalar::unpack_iq4_nl),
    scalar_panel(IQ4_XS, scalar::unpack_iq4_xs),
};

constexpr RoundRow kRound[] = {
#if defined(__x86_64__)
    {cpu::kAvx2, Form::Q8_32, avx2::round_q8_32, "avx2"},
    {cpu::kAvx2, Form::Q8_256, avx2::round_q8_256, "avx2"},
#elif defined(__aarch64__)
    {cpu::kNeon, Form::Q8_32, neon::round_q8_32, "neon"},
    {cpu::kNeon, Form::Q8_256, neon::round_q8_256, "neon"},
#endif
    {cpu::kNone, Form::Q8_32, scalar::round_q8_32, "scalar"},
    {cpu::kNone, Form::Q8_256, scalar::round_q8_256, "scalar"},
};

constexpr DequantizeRow kDequantize[] = {
#if defined(__x86_64__)
#elif defined(__aarch64__)
#endif
    {cpu::kNone, F32, scalar::dequantize_f32, "scalar"},
    {cpu::kNone, F16, scalar::dequantize_f16, "scalar"},
    {cpu::kNone, BF16, scalar::dequantize_bf16, "scalar"},
    {cpu::kNone, Q4_0, scalar::dequantize_q4_0, "scalar"},
    {cpu::kNone, Q4_1, scalar::dequantize_q4_1, "scalar"},
    {cpu::kNone, Q5_0, scalar::dequantize_q5_0, "scalar"},
    {cpu::kNone, Q5_1, scalar::dequantize_q5_1, "scalar"},
    {cpu::kNone, Q8_0, scalar::dequantize_q8_0, "scalar"},
    {cpu::kNone, Q2_K, scalar::dequantize_q2_k, "scalar"},
    {cpu::kNone, Q3_K, scalar::dequantize_q3_k, "scalar"},
    {cpu::kNone, Q4_K, scalar::dequantize_q4_k, "scalar"},
    {cpu::kNone, Q5_K, scalar::dequantize_q5_k, "scalar"},
    {cpu::kNone, Q6_K, scalar::dequantize_q6_k, "scalar"},
    {cpu::kNone, IQ4_NL, scalar::dequantize_iq4_nl, "scalar"},
    {cpu::kNone, IQ4_XS, scalar::dequantize_iq4_xs, "scalar"},
};

constexpr NormRow kNorm[] = {
#if defined(__x86_64__)
    {cpu::kAvx2, Norm::Rms, avx2::rms_norm, "avx2"},
#elif defined(__aarch64__)
    {cpu::kNeon, Norm::Rms, neon::rms_norm, "neon"},
#endif
    {cpu::kNone, Norm::Rms, scalar::rms_norm, "scalar"},
    {cpu::kNone, Norm::Layer, scalar::layer_norm, "scalar"},
};

constexpr RopeRow kRope[] = {
#if defined(__x86_64__)
    {cpu::kAvx2, RopePairs::Adjacent, avx2::rope_adjacent, "avx2"},
    {cpu::kAvx2, RopePairs::Halves, avx2::rope_halves, "avx2"},
#elif defined(__aarch64__)
    {cpu::kNeon, RopePairs::Adjacent, neon::rope_adjacent, "neon"},
    {cpu::kNeon, RopePairs::Halves, neon::rope_halves, "neon"},
#endif
    {cpu::kNone, RopePairs::Adjacent, scalar::rope_adjacent, "scalar"},
    {cpu::kNone, RopePairs::Halves, scalar::rope_halves, "scalar"},
};

constexpr ActivationRow kActivation[] = {
#if defined(__x86_64__)
    {cpu::kAvx512, Activation::Silu, avx512::silu, "avx512"},
    {cpu::kAvx2, Activation::Silu, avx2::silu, "avx2"},
#elif defined(__aarch64__)
    {cpu::kNeon, Activation::Silu, neon::silu, "neon"},
    {cpu::kNeon, Activation::GeluTanh, neon::gelu_tanh, "neon"},
#endif
    {cpu::kNone, Activation::Silu, scalar::silu, "scalar"},
    {cpu::kNone, Activation::GeluTanh, scalar::gelu_tanh, "scalar"},
};

constexpr SoftmaxRow kSoftmax[] = {
#if defined(__x86_64__)
    {cpu::kAvx2, avx2::softmax, "avx2"},
#elif defined(__aarch64__)
    {cpu::kNeon, neon::softmax, "neon"},
#endif
    {cpu::kNone, scalar::softmax, "scalar"},
};

constexpr StoreRow kStore[] = {
#if defined(__x86_64__)
    {cpu::kAvx2, F16, avx2::store_f16, "avx2"},
#elif defined(__aarch64__)
    {cpu::kNeon, F16, neon::store_f16, "neon"},
#endif
    {cpu::kNone, F32, scalar::store_f32, "scalar"},
    {cpu::kNone, F16, scalar::store_f16, "scalar"},
};

constexpr AttentionRow kAttention[] = {
#if defined(__x86_64__)
    {cpu::kAvx512, F32, F32, avx512::attention_f32_f32, "avx512"},
    {cpu::kAvx512, F32, F16, avx512::attention_f32_f16, "avx512"},
    {cpu::kAvx512, F16, F32, avx512::attention_f16_f32, "avx512"},
    {cpu::kAvx512, F16, F16, avx512::attention_f16_f16, "avx512"},
    {cpu::kAvx2, F32, F32, avx2::attention_f32_f32, "avx2"},
    {cpu::kAvx2, F32, F16, avx2::attention_f32_f16, "avx2"},
    {cpu::kAvx2, F16, F32, avx2::attention_f16_f32, "avx2"},
    {cpu::kAvx2, F16, F16, avx2::attention_f16_f16, "avx2"},
#elif defined(__aarch64__)
    {cpu::kNeon, F32, F32, neon::attention_f32_f32, "neon"},
    {cpu::kNeon, F32, F16, neon::attention_f32_f16, "neon"},
    {cpu::kNeon, F16, F32, neon::attention_f16_f32, "neon"},
    {cpu::kNeon, F16, F16, neon::attention_f16_f16, "neon"},
#endif
    {cpu::kNone, F32, F32, scalar::attention_f32_f32, "scalar"},
    {cpu::kNone, F32, F16, scalar::attention_f32_f16, "scalar"},
    {cpu::kNone, F16, F32, scalar::attention_f16_f32, "scalar"},
    {cpu::kNone, F16, F16, scalar::attention_f16_f16, "scalar"},
};

constexpr PeakRow kPeak[] = {
#if defined(__x86_64__)
    {cpu::kAmx, Arithmetic::Int8, amx::peak_int8, "TDPBSSD", "amx"},
    {cpu::kAmx, Arithmetic::Bf16, amx::peak_bf16, "TDPBF16PS", "amx"},
    {cpu::kAvx512Bf16, Arithmetic::Bf16, avx512_bf16::peak_bf16, "VDPBF16PS", "avx512_bf16"},
    {cpu::kAvx512Vnni, Arithmetic::Int8, avx512_vnni::peak_int8, "VPDPBUSD", "avx512_vnni"},
    {cpu::kAvx512, Arithmetic::F32, avx512::peak_f32, "VFMADD", "avx512"},
    {cpu::kAvx2, Arithmetic::Int8, avx2::peak_int8, "VPMADDUBSW", "avx2"},
    {cpu::kAvx2, Arithmetic::F32, avx2::peak_f32, "VFMADD", "avx2"},
#elif defined(__aarch64__)
    {cpu::kSve | cpu::kI8mm, Arithmetic::Int8, sve_i8mm::peak_int8, "SMMLA", "sve_i8mm"},
    {cpu::kSve | cpu::kBf16, Arithmetic::Bf16, sve_bf16::peak_bf16, "BFMMLA", "sve_bf16"},
    {cpu::kSve, Arithmetic::Int8, sve::peak_int8, "SDOT", "sve"},
    {cpu::kSve, Arithmetic::F32, sve::peak_f32, "FMLA", "sve"},
    {cpu::kI8mm, Arithmetic::Int8, i8mm::peak_int8, "SMMLA", "i8mm"},
    {cpu::kBf16, Arithmetic::Bf16, bf16::peak_bf16, "BFMMLA", "bf16"},
    {cpu::kDotprod, Arithmetic::Int8, dotprod::peak_int8, "SDOT", "dotprod"},
    {cpu::kNeon, Arithmetic::Int8, neon::peak_int8, "SMULL", "neon"},
    {cpu::kNeon, Arithmetic::F32, neon::peak_f32, "FMLA", "neon"},
#endif
    {cpu::kNone, Arithmetic::Int8, scalar::peak_int8, "C++", "scalar"},
    {cpu::kNone, Arithmetic::F32, scalar::peak_f32, "C++", "scalar"},
};

constexpr ReadRow kRead[] = {
#if defined(__x86_64__)
    {cpu::kAvx512, avx512::read, "avx512"},
    {cpu::kAvx2, avx2::read, "avx2"},
#elif defined(__aarch64__)
    {cpu::kNeon, neon::read, "neon"},
#endif
    {cpu::kNone, scalar::read, "scalar"},
};

/// The first row that needs no more than `have` and fits.
template <class Row, std::size_t kRows, class Fits>
const Row& choose(const Row (&rows)[kRows], cpu::Features have, Fits fits) {
  for (const Row& row : rows)
    if (cpu::has(have, row.needs) && fits(row)) return row;
  throw Error(ErrorCode::bad_tensor_type, "no kernel for this tensor type in this place");
}

}  // namespace

std::span<const MatmulRow> matmul_rows() { return kMatmul; }
std::span<const PanelRow> panel_rows() { return kPanel; }
std::span<const RoundRow> round_rows() { return kRound; }
std::span<const DequantizeRow> dequantize_rows() { return kDequantize; }
std::span<const NormRow> norm_rows() { return kNorm; }
std::span<const RopeRow> rope_rows() { return kRope; }
std::span<const ActivationRow> activation_rows() { return kActivation; }
std::span<const SoftmaxRow> softmax_rows() { return kSoftmax; }
std::span<const StoreRow> store_rows() { return kStore; }
std::span<const AttentionRow> attention_rows() { return kAttention; }
std::span<const PeakRow> peak_rows() { return kPeak; }
std::span<const ReadRow> read_rows() { return kRead; }

const MatmulRow& choose_matmul(TensorType weights, cpu::Features have) {
  return choose(kMatmul, have, [=](const MatmulRow& row) { return row.weights == weights; });
}
const PanelRow& choose_panel(TensorType weights, cpu::Features have) {
  return choose(kPanel, have, [=](const PanelRow& row) { return row.weights == weights; });
}
const MatmulRow& scalar_matmul(TensorType weights, Form form) {
  return choose(kMatmul, cpu::kNone,
                [=](const MatmulRow& row) { return row.weights == weights && row.form == form; });
}
const RoundRow& choose_round(Form form, cpu::Features have) {
  return choose(kRound, have, [=](const RoundRow& row) { return row.form == form; });
}
const DequantizeRow& choose_dequantize(TensorType weights, cpu::Features have) {
  return choose(kDequantize, have, [=](const DequantizeRow& row) { return row.weights == weights; });
}
const NormRow& choose_norm(Norm kind, cpu::Features have) {
  return choose(kNorm, have, [=](const NormRow& row) { return row.kind == kind; });
}
const RopeRow& choose_rope(RopePairs pairs, cpu::Features have) {
  return choose(kRope, have, [=](const RopeRow& row) { return row.pairs == pairs; });
}
const ActivationRow& choose_activation(Activation kind, cpu::Features have) {
  return choose(kActivation, have, [=](const ActivationRow& row) { return row.kind == kind; });
}
const SoftmaxRow& choose_softmax(cpu::Features have) {
  return choose(kSoftmax, have, [](const SoftmaxRow&) { return true; });
}
const StoreRow& choose_store(TensorType to, cpu::Features have) {
  return choose(kStore, have, [=](const StoreRow& row) { return row.to == to; });
}
const AttentionRow& choose_attention(TensorType k, TensorType v, cpu::Features have) {
  return choose(kAttention, have, [=](const AttentionRow& row) { return row.k == k && row.v == v; });
}
const ReadRow& choose_read(cpu::Features have) {
  return choose(kRead, have, [](const ReadRow&) { return true; });
}

bool supports(TensorType weights) {
  return std::any_of(std::begin(kMatmul), std::end(kMatmul),
                     [=](const MatmulRow& row) { return row.weights == weights; });
}

}  // namespace armature::kernels
