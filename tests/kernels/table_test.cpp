#include <gtest/gtest.h>

#include "gguf/error.h"
#include "kernels/kernels.h"

namespace armature::test {
namespace {

using gguf::TensorType;
using kernels::Form;
using enum TensorType;

constexpr TensorType kPlain[] = {F32, F16, BF16};
constexpr TensorType kBlocksOf32[] = {Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL};
constexpr TensorType kBlocksOf256[] = {Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_XS};

void expect_scalar_rows(TensorType type) {
  EXPECT_TRUE(kernels::supports(type));
  EXPECT_EQ(kernels::choose_matmul(type, cpu::kNone).form, Form::F32);
  EXPECT_EQ(kernels::choose_matmul(type, cpu::kNone).needs, cpu::kNone);
  EXPECT_EQ(kernels::choose_panel(type, cpu::kNone).form, Form::F32);
  EXPECT_EQ(kernels::choose_dequantize(type, cpu::kNone).weights, type);
  EXPECT_EQ(kernels::scalar_matmul(type, Form::F32).form, Form::F32);
}

TEST(Table, HasScalarRowsForEveryType) {
  for (TensorType type : kPlain) expect_scalar_rows(type);
  for (TensorType type : kBlocksOf32) {
    expect_scalar_rows(type);
    EXPECT_EQ(kernels::scalar_matmul(type, Form::Q8_32).form, Form::Q8_32);
  }
  for (TensorType type : kBlocksOf256) {
    expect_scalar_rows(type);
    EXPECT_EQ(kernels::scalar_matmul(type, Form::Q8_256).form, Form::Q8_256);
  }
}

TEST(Table, RefusesATypeWithoutARow) {
  EXPECT_FALSE(kernels::supports(IQ2_XS));
  for (auto choose : {+[] { kernels::choose_matmul(IQ2_XS, cpu::kNone); },
                      +[] { kernels::choose_panel(IQ2_XS, cpu::kNone); },
                      +[] { kernels::choose_attention(Q4_0, F16, cpu::kNone); },
                      +[] { kernels::choose_store(Q8_0, cpu::kNone); }}) {
    try {
      choose();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_tensor_type);
    }
  }
}

/// Scalar rows come last, so that a choice with features never stops at one while a fast row fits.
template <class Rows>
void expect_scalar_last(const Rows& rows) {
  bool scalar = false;
  for (const auto& row : rows) {
    EXPECT_EQ(row.needs == cpu::kNone, row.name == "scalar");
    EXPECT_FALSE(scalar && row.needs != cpu::kNone) << row.name << " behind scalar";
    scalar = scalar || row.needs == cpu::kNone;
  }
  EXPECT_TRUE(scalar);
}

TEST(Table, ListsScalarLast) {
  expect_scalar_last(kernels::matmul_rows());
  expect_scalar_last(kernels::panel_rows());
  expect_scalar_last(kernels::round_rows());
  expect_scalar_last(kernels::dequantize_rows());
  expect_scalar_last(kernels::norm_rows());
  expect_scalar_last(kernels::rope_rows());
  expect_scalar_last(kernels::activation_rows());
  expect_scalar_last(kernels::softmax_rows());
  expect_scalar_last(kernels::store_rows());
  expect_scalar_last(kernels::attention_rows());
  expect_scalar_last(kernels::peak_rows());
  expect_scalar_last(kernels::read_rows());
}

TEST(Table, HasADefinitionForTheFormOfEveryRow) {
  for (const kernels::MatmulRow& row : kernels::matmul_rows())
    EXPECT_NO_THROW(kernels::scalar_matmul(row.weights, row.form)) << row.name;
  for (const kernels::PanelRow& row : kernels::panel_rows())
    EXPECT_NO_THROW(kernels::scalar_matmul(row.weights, row.form)) << row.name;
}

}  // namespace
}  // namespace armature::test
