#pragma once

#include "kernels/kernels.h"
#include "tools/verify/fault.h"

/// Checks of kernel rows, on random operands from a fixed seed. The CPU must have what the row needs.
/// Products are compared with double arithmetic on the weights that the scalar row decodes, all other rows
/// with the scalar row of their kind: bit for bit where docs/numerics.md says so; those that measure the
/// machine with the sum that follows from what they count.
namespace armature::tools::verify {

Fault fault_of(const kernels::MatmulRow& row);
Fault fault_of(const kernels::PanelRow& row);
Fault fault_of(const kernels::RoundRow& row);
Fault fault_of(const kernels::DequantizeRow& row);
Fault fault_of(const kernels::NormRow& row);
Fault fault_of(const kernels::RopeRow& row);
Fault fault_of(const kernels::ActivationRow& row);
Fault fault_of(const kernels::SoftmaxRow& row);
Fault fault_of(const kernels::StoreRow& row);
Fault fault_of(const kernels::AttentionRow& row);
Fault fault_of(const kernels::PeakRow& row);
Fault fault_of(const kernels::ReadRow& row);

}  // namespace armature::tools::verify
