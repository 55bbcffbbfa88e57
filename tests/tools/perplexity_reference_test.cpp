// The perplexity of a real model on a reference text, against that of a double-precision pass.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "gguf/reader.h"
#include "kernels/kernels.h"
#include "tests/support/gguf_values.h"
#include "tools/perplexity/evaluations.h"
#include "tools/perplexity/runner.h"

namespace armature::tools::perplexity {
namespace {

using test::Bytes;

const std::string kModel = ARMATURE_TEST_DATA "/models/SmolLM2-135M-Instruct.Q4_1.gguf";
const std::string kText = ARMATURE_TEST_DATA "/models/reference-text.txt";

// After each chunk of 512 tokens.
constexpr double kExact[] = {19.3469, 19.4423, 20.9017, 24.5638, 23.7780, 26.0185,
                             27.4779, 27.2807, 29.3385, 27.9071, 27.3629};

Bytes read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  Bytes bytes(std::filesystem::file_size(path));
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

std::uint64_t aligned(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

/// Type and offset of the data in a tensor's entry of the table.
void set_entry(Bytes& file, const gguf::TensorInfo& tensor, std::uint64_t offset) {
  const auto type = static_cast<std::uint32_t>(gguf::TensorType::F32);
  // u64 length, name, u32 number of dimensions, u64 each, u32 type, u64 offset
  std::byte* at = file.data() + tensor.info_offset + 8 + tensor.name.size() + 4 + 8 * tensor.n_dims;
  std::memcpy(at, &type, sizeof type);
  std::memcpy(at + sizeof type, &offset, sizeof offset);
}

void decode(const gguf::TensorInfo& tensor, std::byte* to) {
  const auto& row = kernels::choose_dequantize(tensor.type, cpu::kNone);
  const std::size_t k = tensor.cols(), stride = tensor.size / tensor.rows();
  for (std::size_t i = 0; i < tensor.rows(); ++i)
    row.run({reinterpret_cast<float*>(to) + i * k,
             reinterpret_cast<const std::uint8_t*>(tensor.data) + i * stride, k});
}

/// The same model with all weights as F32, whose products take activations as they are on every CPU.
Bytes as_f32(const Bytes& bytes) {
  const gguf::File file = gguf::parse(bytes, "model");
  std::uint64_t size = file.data_start;
  for (const auto& tensor : file.tensors)
    size = aligned(size + 4 * tensor.rows() * tensor.cols(), file.alignment);
  Bytes out(size);
  std::memcpy(out.data(), bytes.data(), file.data_start);
  std::uint64_t at = file.data_start;
  for (const auto& tensor : file.tensors) {
    set_entry(out, tensor, at - file.data_start);
    decode(tensor, out.data() + at);
    at = aligned(at + 4 * tensor.rows() * tensor.cols(), file.alignment);
  }
  return out;
}

/// Each chunk's running perplexity is off by at most `share`.
void check_perplexity(const std::shared_ptr<const Model>& model, DecoderOptions options, std::size_t n_chunks,
                      double share) {
  const Bytes bytes = read_file(kText);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EncodeLosses losses;
  auto tokens = encode_text(model->tokenizer(), text, losses);
  EXPECT_EQ(tokens.size(), 6132u);
  const Chunks chunks = cut_into_chunks(std::move(tokens), 512, n_chunks, kText);
  options.n_ctx = 4 * chunks.n_ctx;
  options.n_sequences = 4;
  options.n_threads = 2;
  Decoder decoder(model, options);
  std::size_t n_checked = 0;
  Likelihood likelihood(chunks.n_places(), model->config().n_vocab, nullptr,
                        [&](std::size_t chunk, const RunningMean& nll) {
                          EXPECT_NEAR(std::exp(nll.mean()) / kExact[chunk], 1, share) << "chunk " << chunk;
                          ++n_checked;
                        });
  Runner(decoder, chunks, 4, std::nullopt).run(likelihood, {}, [](std::size_t) {});
  EXPECT_EQ(n_checked, n_chunks);
}

bool has_files() { return std::filesystem::exists(kModel) && std::filesystem::exists(kText); }

TEST(SmolLM2Perplexity, WithDefaultSettings) {
  if (!has_files()) GTEST_SKIP() << "no " << kModel << " or " << kText;
#ifdef ARMATURE_SLOW_RUN
  GTEST_SKIP() << "too slow in this build";
#endif
  check_perplexity(Model::load(kModel), {}, std::size(kExact), 3e-3);
}

TEST(SmolLM2Perplexity, WithOperandsInF32) {
  if (!has_files()) GTEST_SKIP() << "no " << kModel << " or " << kText;
#ifdef ARMATURE_SLOW_RUN
  GTEST_SKIP() << "too slow in this build";
#endif
  const Bytes file = as_f32(read_file(kModel));
  DecoderOptions options;
  options.type_k = options.type_v = gguf::TensorType::F32;
  check_perplexity(Model::load(file, "SmolLM2 in F32"), options, 3, 1e-4);
}

}  // namespace
}  // namespace armature::tools::perplexity
