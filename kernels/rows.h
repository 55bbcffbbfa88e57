#pragma once

#include "kernels/args.h"

/// Declarations of the functions that table.cpp lists, one namespace for each ISA folder. Products are named
/// matmul_<weights>_<form>. Nothing else needs this header.
namespace armature::kernels {

namespace scalar {
DequantizeFn dequantize_f32, dequantize_f16, dequantize_bf16, dequantize_q4_0, dequantize_q4_1,
    dequantize_q5_0, dequantize_q5_1, dequantize_q8_0, dequantize_q2_k, dequantize_q3_k, dequantize_q4_k,
    dequantize_q5_k, dequantize_q6_k, dequantize_iq4_nl, dequantize_iq4_xs;

MatmulFn matmul_f32_f32, matmul_f16_f32, matmul_bf16_f32, matmul_q4_0_f32, matmul_q4_1_f32, matmul_q5_0_f32,
    matmul_q5_1_f32, matmul_q8_0_f32, matmul_q2_k_f32, matmul_q3_k_f32, matmul_q4_k_f32, matmul_q5_k_f32,
    matmul_q6_k_f32, matmul_iq4_nl_f32, matmul_iq4_xs_f32;
MatmulFn matmul_q4_0_q8_32, matmul_q4_1_q8_32, matmul_q5_0_q8_32, matmul_q5_1_q8_32, matmul_q8_0_q8_32,
    matmul_iq4_nl_q8_32;
MatmulFn matmul_q2_k_q8_256, matmul_q3_k_q8_256, matmul_q4_k_q8_256, matmul_q5_k_q8_256, matmul_q6_k_q8_256,
    matmul_iq4_xs_q8_256;

UnpackFn unpack_f32, unpack_f16, unpack_bf16, unpack_q4_0, unpack_q4_1, unpack_q5_0, unpack_q5_1, unpack_q8_0,
    unpack_q2_k, unpack_q3_k, unpack_q4_k, unpack_q5_k, unpack_q6_k, unpack_iq4_nl, unpack_iq4_xs;
PanelBytesFn panel_bytes;
PanelFn panel_product;

RoundFn round_q8_32, round_q8_256;
NormFn rms_norm, layer_norm;
RopeFn rope_adjacent, rope_halves;
ActivationFn silu, gelu_tanh;
SoftmaxFn softmax;
StoreFn store_f32, store_f16;
AttentionFn attention_f32_f32, attention_f32_f16, attention_f16_f32, attention_f16_f16;
PeakFn peak_int8, peak_f32;
ReadFn read;
}  // namespace scalar

namespace avx2 {
MatmulFn matmul_f32_f32, matmul_f16_f32, matmul_bf16_f32;
MatmulFn matmul_q4_0_q8_32, matmul_q4_1_q8_32, matmul_q5_0_q8_32, matmul_q5_1_q8_32, matmul_q8_0_q8_32,
    matmul_iq4_nl_q8_32;
MatmulFn matmul_q2_k_q8_256, matmul_q3_k_q8_256, matmul_q4_k_q8_256, matmul_q5_k_q8_256, matmul_q6_k_q8_256,
    matmul_iq4_xs_q8_256;

// Panels of avx2 and above: one layout for each kind of weights, so the unpacking is the same.
UnpackFn unpack_f32, unpack_f16, unpack_bf16, unpack_q4_0, unpack_q4_1, unpack_q5_0, unpack_q5_1, unpack_q8_0,
    unpack_iq4_nl, unpack_q2_k, unpack_q3_k, unpack_q4_k, unpack_q5_k, unpack_q6_k, unpack_iq4_xs;
PanelBytesFn float_panel_bytes, int8_panel_bytes_32, int8_panel_bytes_32_offsets, int8_panel_bytes_16,
    int8_panel_bytes_16_offsets;
PanelFn float_panel_product, panel_product_q4_0, panel_product_q4_1, panel_product_q5_0, panel_product_q5_1,
    panel_product_q8_0, panel_product_iq4_nl, panel_product_q2_k, panel_product_q3_k, panel_product_q4_k,
    panel_product_q5_k, panel_product_q6_k, panel_product_iq4_xs;

RoundFn round_q8_32, round_q8_256;
NormFn rms_norm;
RopeFn rope_adjacent, rope_halves;
ActivationFn silu;
SoftmaxFn softmax;
StoreFn store_f16;
AttentionFn attention_f32_f32, attention_f32_f16, attention_f16_f32, attention_f16_f16;
PeakFn peak_int8, peak_f32;
ReadFn read;
}  // namespace avx2
namespace avx512 {
MatmulFn matmul_f32_f32, matmul_f16_f32, matmul_bf16_f32;
PanelFn float_panel_product;
ActivationFn silu;
AttentionFn attention_f32_f32, attention_f32_f16, attention_f16_f32, attention_f16_f16;
PeakFn peak_f32;
ReadFn read;
}  // namespace avx512
namespace avx512_vnni {
MatmulFn matmul_q4_0_q8_32, matmul_q4_1_q8_32, matmul_q5_0_q8_32, matmul_q5_1_q8_32, matmul_q8_0_q8_32,
    matmul_iq4_nl_q8_32;
MatmulFn matmul_q2_k_q8_256, matmul_q3_k_q8_256, matmul_q4_k_q8_256, matmul_q5_k_q8_256, matmul_q6_k_q8_256,
    matmul_iq4_xs_q8_256;
PanelFn panel_product_q4_0, panel_product_q4_1, panel_product_q5_0, panel_product_q5_1, panel_product_q8_0,
    panel_product_iq4_nl, panel_product_q2_k, panel_product_q3_k, panel_product_q4_k, panel_product_q5_k,
    panel_product_q6_k, panel_product_iq4_xs;
PeakFn peak_int8;
}  // namespace avx512_vnni
namespace avx512_bf16 {
PeakFn peak_bf16;
}  // namespace avx512_bf16
namespace amx {
PeakFn peak_int8, peak_bf16;
}  // namespace amx
namespace neon {
MatmulFn matmul_f32_f32, matmul_f16_f32, matmul_bf16_f32, matmul_q4_0_q8_32, matmul_q4_1_q8_32,
    matmul_q5_0_q8_32, matmul_q5_1_q8_32, matmul_q8_0_q8_32, matmul_q2_k_q8_256, matmul_q3_k_q8_256,
    matmul_q4_k_q8_256, matmul_q5_k_q8_256, matmul_q6_k_q8_256, matmul_iq4_nl_q8_32, matmul_iq4_xs_q8_256;
UnpackFn unpack_f32, unpack_f16, unpack_bf16, unpack_q4_0, unpack_q4_1, unpack_q5_0, unpack_q5_1, unpack_q8_0,
    unpack_q2_k, unpack_q3_k, unpack_q4_k, unpack_q5_k, unpack_q6_k, unpack_iq4_nl, unpack_iq4_xs;
PanelBytesFn panel_bytes;
PanelFn panel_product;

RoundFn round_q8_32, round_q8_256;
NormFn rms_norm;
RopeFn rope_adjacent, rope_halves;
ActivationFn silu, gelu_tanh;
SoftmaxFn softmax;
StoreFn store_f16;
AttentionFn attention_f32_f32, attention_f32_f16, attention_f16_f32, attention_f16_f16;
PeakFn peak_int8, peak_f32;
ReadFn read;
}  // namespace neon
namespace dotprod {
MatmulFn matmul_q4_0_q8_32, matmul_q4_1_q8_32, matmul_q5_0_q8_32, matmul_q5_1_q8_32, matmul_q8_0_q8_32,
    matmul_q2_k_q8_256, matmul_q3_k_q8_256, matmul_q4_k_q8_256, matmul_q5_k_q8_256, matmul_q6_k_q8_256,
    matmul_iq4_nl_q8_32, matmul_iq4_xs_q8_256;
UnpackFn unpack_q4_0, unpack_q4_1, unpack_q5_0, unpack_q5_1, unpack_q8_0, unpack_q2_k, unpack_q3_k,
    unpack_q4_k, unpack_q5_k, unpack_q6_k, unpack_iq4_nl, unpack_iq4_xs;
PanelBytesFn panel_bytes_q8_32, panel_bytes_q8_32_minimum, panel_bytes_q8_256_16,
    panel_bytes_q8_256_16_minimum, panel_bytes_q8_256_32, panel_bytes_q8_256_32_minimum;
PanelFn panel_product_q8_32, panel_product_q8_32_minimum, panel_product_q8_256_16,
    panel_product_q8_256_16_minimum, panel_product_q8_256_32, panel_product_q8_256_32_minimum;
PeakFn peak_int8;
}  // namespace dotprod
namespace i8mm {
PeakFn peak_int8;
}  // namespace i8mm
namespace bf16 {
PeakFn peak_bf16;
}  // namespace bf16
namespace sve {
PeakFn peak_int8, peak_f32;
}  // namespace sve
namespace sve_i8mm {
PeakFn peak_int8;
}  // namespace sve_i8mm
namespace sve_bf16 {
PeakFn peak_bf16;
}  // namespace sve_bf16

}  // namespace armature::kernels
