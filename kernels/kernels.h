#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "gguf/types.h"
#include "kernels/args.h"
#include "kernels/cpu.h"

/// All that engine/ needs of the kernels: the kinds of rows, and the choice of one. The inventory itself is
/// table.cpp. Every list is ordered best first and ends with the scalar row, which needs nothing.
namespace armature::kernels {

using gguf::TensorType;

/// Few rows of activations: weights are read where they lie, once for all m rows.
struct MatmulRow {
  cpu::Features needs;
  TensorType weights;
  Form form;
  MatmulFn* run;
  std::string_view name;  // the ISA folder
};

/// Many rows of activations: a panel of weight rows is unpacked once and used for all of them.
struct PanelRow {
  cpu::Features needs;
  TensorType weights;
  Form form;
  std::size_t n_tile;   // weight rows in a panel
  PanelBytesFn* bytes;  // of a panel for rows of k
  UnpackFn* unpack;
  PanelFn* run;
  std::string_view name;
};

struct RoundRow {
  cpu::Features needs;
  Form form;
  RoundFn* run;
  std::string_view name;
};
struct DequantizeRow {
  cpu::Features needs;
  TensorType weights;
  DequantizeFn* run;
  std::string_view name;
};

enum class Norm : std::uint8_t { Rms, Layer };
struct NormRow {
  cpu::Features needs;
  Norm kind;
  NormFn* run;
  std::string_view name;
};

enum class RopePairs : std::uint8_t {
  Adjacent,  // turns (2i, 2i + 1)
  Halves,    // turns (i, i + n_rot / 2)
};
struct RopeRow {
  cpu::Features needs;
  RopePairs pairs;
  RopeFn* run;
  std::string_view name;
};

enum class Activation : std::uint8_t { Silu, GeluTanh };
struct ActivationRow {
  cpu::Features needs;
  Activation kind;
  ActivationFn* run;
  std::string_view name;
};

struct SoftmaxRow {
  cpu::Features needs;
  SoftmaxFn* run;
  std::string_view name;
};
struct StoreRow {
  cpu::Features needs;
  TensorType to;
  StoreFn* run;
  std::string_view name;
};  // to: F32, F16
struct AttentionRow {
  cpu::Features needs;
  TensorType k, v;
  AttentionFn* run;
  std::string_view name;
};

/// What a machine can do at best, for comparison: neither is part of a model. Which of the rows that fit is
/// the fastest is a matter of measurement.
enum class Arithmetic : std::uint8_t { Int8, Bf16, F32 };  // what is multiplied; sums are int32 or f32
struct PeakRow {
  cpu::Features needs;
  Arithmetic kind;
  PeakFn* run;
  std::string_view instruction;
  std::string_view name;
};
struct ReadRow {
  cpu::Features needs;
  ReadFn* run;
  std::string_view name;
};

std::span<const MatmulRow> matmul_rows();
std::span<const PanelRow> panel_rows();
std::span<const RoundRow> round_rows();
std::span<const DequantizeRow> dequantize_rows();
std::span<const NormRow> norm_rows();
std::span<const RopeRow> rope_rows();
std::span<const ActivationRow> activation_rows();
std::span<const SoftmaxRow> softmax_rows();
std::span<const StoreRow> store_rows();
std::span<const AttentionRow> attention_rows();
std::span<const PeakRow> peak_rows();
std::span<const ReadRow> read_rows();

/// The first row that fits. Throws Error bad_tensor_type for a weight or KV type without a row.
const MatmulRow& choose_matmul(TensorType weights, cpu::Features have);
const PanelRow& choose_panel(TensorType weights, cpu::Features have);
/// The scalar row that defines this type in this form (tests compare fast rows against it).
const MatmulRow& scalar_matmul(TensorType weights, Form form);
const RoundRow& choose_round(Form form, cpu::Features have);
const DequantizeRow& choose_dequantize(TensorType weights, cpu::Features have);
const NormRow& choose_norm(Norm kind, cpu::Features have);
const RopeRow& choose_rope(RopePairs pairs, cpu::Features have);
const ActivationRow& choose_activation(Activation kind, cpu::Features have);
const SoftmaxRow& choose_softmax(cpu::Features have);
const StoreRow& choose_store(TensorType to, cpu::Features have);
const AttentionRow& choose_attention(TensorType k, TensorType v, cpu::Features have);
const ReadRow& choose_read(cpu::Features have);

/// Whether there is a product for this weight type at all.
bool supports(TensorType weights);

}  // namespace armature::kernels
