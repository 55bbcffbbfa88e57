#include "engine/kernel_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/model.h"
#include "tests/engine/reference.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

using Reason = RowNotTaken::Reason;

class KernelPlanTest : public testing::Test {
 protected:
  std::vector<KernelChoice> plan(cpu::Features features, cpu::Features detected) const {
    LoadOptions load;
    load.features = features;
    const auto model = Model::load(file_, "tiny.gguf", load);
    KernelPlanOptions options;
    options.features = features;
    options.detected = detected;
    return kernel_plan(model->config(), model->weights(), options);
  }
  static const KernelChoice& find(const std::vector<KernelChoice>& plan, const std::string& operation,
                                  const std::string& regime = "") {
    const auto at = std::find_if(plan.begin(), plan.end(), [&](const KernelChoice& c) {
      return c.operation == operation && c.regime == regime;
    });
    if (at == plan.end()) throw std::runtime_error("no " + operation);
    return *at;
  }

  Bytes file_ = TinyModel().bytes();
};

TEST_F(KernelPlanTest, CountsTheTensorsOfEachType) {
  const auto all = plan(cpu::detect(), cpu::detect());
  const KernelChoice& few = find(all, "matmul", "few rows");
  EXPECT_EQ(few.type, "F32");
  EXPECT_EQ(few.n_tensors, 2u * 7 + 1);
  // Per layer q and output 32 x 32, k and v 16 x 32, three FFN matrices 64 x 32; the tied output 64 x 32.
  EXPECT_EQ(few.bytes, 4u * (2 * (2 * 32 * 32 + 2 * 16 * 32 + 3 * 64 * 32) + 64 * 32));
  EXPECT_EQ(find(all, "matmul", "many rows").bytes, few.bytes);
  EXPECT_EQ(find(all, "embedding").bytes, 4u * 64 * 32);
  EXPECT_EQ(find(all, "attention").type, "F16/F16");
  EXPECT_THROW(find(all, "rounding"), std::runtime_error) << "F32 products take activations as they are";
}

TEST_F(KernelPlanTest, TheBestRowNeedsNoReason) {
  for (const KernelChoice& choice : plan(cpu::detect(), cpu::detect()))
    for (const RowNotTaken& row : choice.not_taken)
      EXPECT_EQ(row.reason, Reason::NotInCpu) << to_line(choice);
}

TEST_F(KernelPlanTest, SaysWhyBetterRowsAreNotTaken) {
  if (kernels::matmul_rows().front().needs == cpu::kNone) GTEST_SKIP() << "scalar rows are all there is";
  std::size_t n_better = 0;
  for (const kernels::MatmulRow& row : kernels::matmul_rows())
    n_better += row.weights == gguf::TensorType::F32 && row.needs != cpu::kNone ? 1 : 0;

  const auto lesser = plan(cpu::kNone, cpu::kNone);
  const KernelChoice& lacking = find(lesser, "matmul", "few rows");
  EXPECT_EQ(lacking.kernel, "scalar");
  ASSERT_EQ(lacking.not_taken.size(), n_better);
  for (const RowNotTaken& row : lacking.not_taken) EXPECT_EQ(row.reason, Reason::NotInCpu);

  const auto masked = plan(cpu::kNone, ~cpu::kNone);
  const KernelChoice& left_out = find(masked, "matmul", "few rows");
  ASSERT_EQ(left_out.not_taken.size(), n_better);
  for (const RowNotTaken& row : left_out.not_taken) EXPECT_EQ(row.reason, Reason::Masked);
}

TEST_F(KernelPlanTest, NamesTheRowsThatTheModelRuns) {
  for (const Level& level : levels()) {
    const auto all = plan(level.features, cpu::detect());
    EXPECT_EQ(find(all, "matmul", "few rows").kernel,
              kernels::choose_matmul(gguf::TensorType::F32, level.features).name);
    EXPECT_EQ(find(all, "matmul", "many rows").kernel,
              kernels::choose_panel(gguf::TensorType::F32, level.features).name);
  }
}

TEST(KernelPlanLine, ShowsWhatIsThere) {
  KernelChoice choice{"matmul", "Q8_0", "many rows", "avx2", 3, 100, {}};
  EXPECT_EQ(to_line(choice), "matmul Q8_0, many rows: avx2");
  choice.not_taken = {{"avx512_vnni", Reason::NotInCpu}, {"avx512", Reason::Masked}};
  EXPECT_EQ(to_line(choice), "matmul Q8_0, many rows: avx2 (avx512_vnni: not in this CPU, avx512: masked)");
  EXPECT_EQ(to_line({"norm", "", "", "neon", 0, 0, {}}), "norm: neon");
}

}  // namespace
}  // namespace armature::test
