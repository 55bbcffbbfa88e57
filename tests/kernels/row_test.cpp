#include "tests/kernels/row_test.h"

#include "kernels/peak_check.h"

namespace armature::test {
namespace {

std::string type_name(gguf::TensorType type) { return std::string(gguf::type_info(type).name); }

}  // namespace

std::string name_of(kernels::Form form) {
  switch (form) {
    case kernels::Form::F32:
      return "F32";
    case kernels::Form::Q8_32:
      return "Q8_32";
    case kernels::Form::Q8_256:
      return "Q8_256";
  }
  return "unknown";
}

std::string detail(const kernels::RoundRow& row) { return name_of(row.form); }
std::string detail(const kernels::DequantizeRow& row) { return type_name(row.weights); }
std::string detail(const kernels::NormRow& row) { return row.kind == kernels::Norm::Rms ? "Rms" : "Layer"; }
std::string detail(const kernels::RopeRow& row) {
  return row.pairs == kernels::RopePairs::Adjacent ? "Adjacent" : "Halves";
}
std::string detail(const kernels::ActivationRow& row) {
  return row.kind == kernels::Activation::Silu ? "Silu" : "GeluTanh";
}
std::string detail(const kernels::SoftmaxRow&) { return "softmax"; }
std::string detail(const kernels::StoreRow& row) { return type_name(row.to); }
std::string detail(const kernels::AttentionRow& row) { return type_name(row.k) + "_" + type_name(row.v); }
std::string detail(const kernels::PeakRow& row) { return std::string(kernels::name_of(row.kind)); }
std::string detail(const kernels::ReadRow&) { return "read"; }

}  // namespace armature::test
