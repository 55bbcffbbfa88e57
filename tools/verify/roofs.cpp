#include "kernels/peak_check.h"
#include "tools/verify/rows.h"

namespace armature::tools::verify {

Fault fault_of(const kernels::PeakRow& row) { return kernels::check_peak_row(row); }
Fault fault_of(const kernels::ReadRow& row) { return kernels::check_read_row(row); }

}  // namespace armature::tools::verify
