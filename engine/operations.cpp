#include "engine/operations.h"

#include <string>

namespace armature {

namespace {

void check_kv_type(const char* what, gguf::TensorType type) {
  for (const kernels::StoreRow& row : kernels::store_rows()) {
    if (row.to == type) return;
  }
  throw Error(ErrorCode::bad_argument, std::string(what) + " type " +
                                           std::string(gguf::type_info(type).name) +
                                           " is not supported for the KV cache; supported are F32, F16");
}

}  // namespace

Operations::Operations(const ModelConfig& config, gguf::TensorType type_k, gguf::TensorType type_v,
                       cpu::Features features) {
  check_kv_type("key", type_k);
  check_kv_type("value", type_v);
  norm = &kernels::choose_norm(config.norm, features);
  rope = &kernels::choose_rope(config.rope_pairs, features);
  activation = &kernels::choose_activation(config.activation, features);
  round_32 = &kernels::choose_round(kernels::Form::Q8_32, features);
  round_256 = &kernels::choose_round(kernels::Form::Q8_256, features);
  store_k = &kernels::choose_store(type_k, features);
  store_v = &kernels::choose_store(type_v, features);
  attention = &kernels::choose_attention(type_k, type_v, features);
}

}  // namespace armature
