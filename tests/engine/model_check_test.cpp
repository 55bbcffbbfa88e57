#include "engine/model_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/model.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ModelCheckTest : public testing::Test {
 protected:
  const ModelCheck& check(const TinyModel& model) {
    bytes_ = model.bytes();
    files_.emplace(gguf::ModelFiles::from_memory(bytes_, "tiny.gguf"));
    check_ = check_model(*files_, cpu::detect());
    return check_;
  }
  std::vector<ErrorCode> codes() const {
    std::vector<ErrorCode> out;
    for (const Error& fault : check_.faults) out.push_back(fault.code());
    return out;
  }
  /// What Model::load() says of the same file.
  std::string load_error() const {
    try {
      Model::load(bytes_, "tiny.gguf");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Bytes bytes_;
  std::optional<gguf::ModelFiles> files_;
  ModelCheck check_;
};

TEST_F(ModelCheckTest, AGoodModel) {
  check(TinyModel());
  EXPECT_THAT(check_.faults, IsEmpty());
  EXPECT_EQ(check_.config->n_layer, 2u);
  EXPECT_EQ(check_.weights->n_unused, 0u);
  EXPECT_EQ(check_.tokenizer->n_vocab(), 64u);
  EXPECT_EQ(load_error(), "");
}

TEST_F(ModelCheckTest, ReadsNoWeights) {
  check(TinyModel());
  EXPECT_THAT(check_.weights->output_norm, IsEmpty());
  EXPECT_NE(check_.weights->layers[0].attn_q.few, nullptr);
}

TEST_F(ModelCheckTest, CollectsFaultsOfTensorsInTheirOrder) {
  TinyModel model;
  model.erase_tensor("blk.0.attn_norm.weight").erase_tensor("blk.1.attn_q.weight");
  model.tensor("blk.0.attn_k.weight").shape = {8, 64};
  model.set_tensor("blk.1.ffn_norm.weight", {32}, gguf::TensorType::I32, Bytes(128));
  model.set_tensor("blk.1.ffn_up.weight", {64, 32}, gguf::TensorType::I8, Bytes(64 * 32));
  check(model);
  EXPECT_THAT(codes(),
              ElementsAre(ErrorCode::missing_tensor, ErrorCode::wrong_shape, ErrorCode::missing_tensor,
                          ErrorCode::wrong_tensor_type, ErrorCode::wrong_tensor_type));
  EXPECT_EQ(load_error(), check_.faults.front().what());
  EXPECT_EQ(check_.weights->layers[0].attn_k.few, nullptr) << "a matrix at fault has no kernels";
}

TEST_F(ModelCheckTest, FaultsOfVocabularyAndTensorsTogether) {
  TinyModel model;
  model.erase_tensor("output_norm.weight").set("tokenizer.ggml.model", "nosuchtok");
  check(model);
  EXPECT_THAT(codes(), ElementsAre(ErrorCode::missing_tensor, ErrorCode::unknown_tokenizer));
  EXPECT_EQ(check_.tokenizer, nullptr);
}

TEST_F(ModelCheckTest, UnknownArchitecture) {
  TinyModel model;
  model.set("general.architecture", "nosucharch");
  model.set_tensor("a", {256}, gguf::TensorType::IQ1_S, Bytes(50));
  model.set_tensor("b", {256}, gguf::TensorType::IQ1_S, Bytes(50));
  check(model);
  EXPECT_THAT(codes(), ElementsAre(ErrorCode::unknown_architecture, ErrorCode::bad_tensor_type));
  EXPECT_THAT(check_.faults[1].what(), HasSubstr("2 tensors are of type IQ1_S"));
  EXPECT_FALSE(check_.config);
  EXPECT_FALSE(check_.weights);
  EXPECT_NE(check_.tokenizer, nullptr);
}

TEST_F(ModelCheckTest, AVocabularyAlone) {
  TinyModel model;
  model.tensors.clear();
  check(model);
  EXPECT_THAT(codes(), ElementsAre(ErrorCode::missing_tensor));
  EXPECT_THAT(check_.faults[0].what(), HasSubstr("vocabulary alone"));
  EXPECT_NE(check_.tokenizer, nullptr);
}

TEST_F(ModelCheckTest, ManyLayersAndNoneOfTheirTensors) {
  TinyModel model;
  model.set("llama.block_count", 1024u);
  check(model);
  EXPECT_EQ(check_.faults.size(), 1022u * 7) << "attention's three matrices may stand in one";
}

TEST_F(ModelCheckTest, WarningsAreThoseOfTheLoadedModel) {
  TinyModel model;
  model.add_tensor("one.more", {32}).add_tensor("another", {32});
  check(model);
  EXPECT_THAT(check_.faults, IsEmpty());
  const auto warnings = warnings_about(*files_, &*check_.weights, check_.tokenizer.get());
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("2 tensors are not used")));
  EXPECT_EQ(warnings, Model::load(bytes_, "tiny.gguf")->warnings());
}

}  // namespace
}  // namespace armature::test
