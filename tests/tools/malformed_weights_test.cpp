// Weights that are no numbers, in each form that a file can hold them, and files that change while they are
// in use. The names of the cases are those of the contract on malformed files.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>
#include <thread>

#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using gguf::TensorType;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

constexpr std::uint32_t kEmbd = 256;  // one block of the largest kind
const std::string kDown = "blk.0.ffn_down.weight";

/// A model of rows that every type can hold.
TinyModel wide_model() { return TinyModel({.n_embd = kEmbd, .n_head = 8, .n_head_kv = 2, .n_ff = kEmbd}); }

/// Bytes of a tensor of zeros with one number written into its first row.
Bytes zeros_but(TensorType type, std::size_t rows, std::size_t at, std::uint16_t number) {
  Bytes data(rows * gguf::row_bytes(type, kEmbd));
  data[at] = static_cast<std::byte>(number & 0xff);
  data[at + 1] = static_cast<std::byte>(number >> 8);
  return data;
}

/// No token may come of it: with scalar kernels and with the machine's, for few rows and for many.
void expect_never_tokens(const TinyModel& model) {
  const ModelFile file(model);
  for (const Args& isa : {Args{"--isa", "scalar"}, Args{}}) {
    for (const std::string& prompt : {std::string("a"), std::string(60, 'q')}) {
      if (program_is_emulated() && (!isa.empty() || prompt.size() > 1))
        continue;  // a run takes seconds there
      const Outcome outcome = file.greedy(Args{"-n", "4", "-t", "1", "-p", prompt} + isa);
      EXPECT_EQ(outcome.status, 1) << "signal " << outcome.signal << ": " << outcome.err;
      EXPECT_EQ(outcome.out, "");
      EXPECT_THAT(outcome.err, AllOf(HasSubstr("error: " + file.path() + ": "), HasSubstr("not finite")));
    }
  }
}

TEST(MalformedWeights, OneNumberOfF32) {  // DAT-05
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (const auto& [tensor, value] :
       {std::pair{kDown, nan}, std::pair{std::string("blk.1.ffn_norm.weight"), inf}}) {
    SCOPED_TRACE(tensor);
    TinyModel model = wide_model();
    const Bytes bits = to_bytes(value);
    std::copy(bits.begin(), bits.end(), model.tensor(tensor).data.begin());
    expect_never_tokens(model);
  }
}

struct Number {
  const char* id;
  TensorType type;
  std::size_t at;  // of the number in a block
  std::uint16_t bits;
};

constexpr Number kNumbers[] = {
    {"DAT-06 Q8_0", TensorType::Q8_0, 0, 0x7e00},   {"DAT-06 Q4_0", TensorType::Q4_0, 0, 0x7c00},
    {"DAT-06 Q4_K d", TensorType::Q4_K, 0, 0x7e00}, {"DAT-06 Q4_K dmin", TensorType::Q4_K, 2, 0x7e00},
    {"DAT-06 Q6_K", TensorType::Q6_K, 208, 0xfc00}, {"DAT-07 F16", TensorType::F16, 0, 0x7e00},
    {"DAT-07 BF16", TensorType::BF16, 0, 0x7fc0},
};

// The output matrix is of the type too, so that what is not finite is also met as an activation.
TEST(MalformedWeights, OneNumberOfOtherTypes) {
  for (const Number& number : kNumbers) {
    SCOPED_TRACE(number.id);
    TinyModel model = wide_model();
    model.set_tensor(kDown, {kEmbd, kEmbd}, number.type,
                     zeros_but(number.type, kEmbd, number.at, number.bits));
    model.set_tensor("output.weight", {64, kEmbd}, number.type,
                     Bytes(64 * gguf::row_bytes(number.type, kEmbd)));
    expect_never_tokens(model);
  }
}

TEST(MalformedWeights, SumsThatOverflow) {  // DAT-08
  for (const char* name :
       {"token_embd.weight", "blk.0.attn_k.weight", "blk.0.ffn_up.weight", "output.weight"}) {
    TinyModel model = wide_model();
    const std::size_t n = model.tensor(name).data.size() / sizeof(float);
    const ModelFile file(model.set_weights(name, std::vector<float>(n, 3e38f)));
    const Outcome outcome = file.greedy({"-n", "4", "-p", "abc"});
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << name << " signal " << outcome.signal;
    EXPECT_THAT(outcome.err, AnyOf(HasSubstr("stop: "), HasSubstr("not finite"))) << name;
  }
}

TEST(MalformedWeights, AllZero) {  // DAT-09
  TinyModel model;
  for (TinyModel::Tensor& t : model.tensors) std::fill(t.data.begin(), t.data.end(), std::byte{0});
  EXPECT_EQ(ModelFile(model).greedy({"-n", "3", "-p", "abc", "--ids"}).out, "[0, 0, 0]\n");
}

/// Sets the time of a file over and over while it lives.
class Toucher {
 public:
  explicit Toucher(std::string path) : path_(std::move(path)), thread_([this] { touch(); }) {}
  ~Toucher() {
    leave_ = true;
    thread_.join();
  }

 private:
  void touch() const {
    for (long n = 0; !leave_; ++n) {
      const timespec times[2] = {{n, 0}, {n, 0}};
      ::utimensat(AT_FDCWD, path_.c_str(), times, 0);
    }
  }

  std::string path_;
  std::atomic<bool> leave_ = false;
  std::thread thread_;
};

TEST(MalformedWeights, FileThatIsWrittenToWhileItIsLoaded) {  // DAT-11
  const ModelFile file(wide_model());
  const std::string error = "error: " + file.path() + ": the file was written to while it was in use\n";
  const Toucher toucher(file.path());
  Outcome outcome;
  // Now and then the whole load falls between two touches, and the end of the run notices.
  for (int i = 0; i < 100 && outcome.err != error; ++i) {
    outcome = file.greedy({"-n", "1", "-p", "a"});
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << "signal " << outcome.signal;
  }
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, error);
}

}  // namespace
}  // namespace armature::test
