#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gguf/types.h"
#include "kernels/kernels.h"

namespace armature::test {

std::string name_of(kernels::Form form);

// What tells the rows of one kind apart, after the kind and the ISA.
std::string detail(const kernels::RoundRow& row);
std::string detail(const kernels::DequantizeRow& row);
std::string detail(const kernels::NormRow& row);
std::string detail(const kernels::RopeRow& row);
std::string detail(const kernels::ActivationRow& row);
std::string detail(const kernels::SoftmaxRow& row);
std::string detail(const kernels::StoreRow& row);
std::string detail(const kernels::AttentionRow& row);
std::string detail(const kernels::PeakRow& row);
std::string detail(const kernels::ReadRow& row);

/// A test of one row. Skipped, with a line that says why, where the machine cannot run the row.
template <class Row>
class RowTest : public testing::TestWithParam<Row> {
 protected:
  void SetUp() override {
    const cpu::Features lacking = this->GetParam().needs & ~cpu::detect();
    if (lacking != cpu::kNone)
      GTEST_SKIP() << "row " << label() << ": skipped, this CPU lacks " << cpu::describe(lacking);
  }
  const Row& row() const { return this->GetParam(); }
  std::string label() const { return std::string(row().name) + " " + detail(row()); }
};

/// "avx2_Q4_0", for names of tests.
template <class Row>
std::string test_name(const testing::TestParamInfo<Row>& info) {
  return std::string(info.param.name) + "_" + detail(info.param);
}

}  // namespace armature::test

namespace armature::kernels {

/// How GoogleTest prints a row.
template <class Row>
requires requires(const Row& row) {
  row.needs;
  row.name;
}
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

}  // namespace armature::kernels
