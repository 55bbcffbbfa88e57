#pragma once

#include "engine/config.h"
#include "kernels/kernels.h"

namespace armature {

/// The kernel rows that a decoder uses besides its matrices' own, chosen once.
struct Operations {
  const kernels::NormRow* norm;
  const kernels::RopeRow* rope;
  const kernels::ActivationRow* activation;
  const kernels::RoundRow* round_32;
  const kernels::RoundRow* round_256;
  const kernels::StoreRow* store_k;
  const kernels::StoreRow* store_v;
  const kernels::AttentionRow* attention;

  /// Throws Error bad_argument for a KV type without a kernel.
  Operations(const ModelConfig& config, gguf::TensorType type_k, gguf::TensorType type_v,
             cpu::Features features);
};

}  // namespace armature
