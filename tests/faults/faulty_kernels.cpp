#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "kernels/args.h"

/// The program with kernels that are broken on purpose: the linker puts these between the table of kernels
/// and the rows (--wrap). Which one is at fault is said by the environment variable ARMATURE_TEST_FAULT;
/// without it all are as they should be.
namespace {

using namespace armature::kernels;

// avx2 or neon: rows that every machine of the architecture has, or nearly.
#if defined(__aarch64__)
#define ARMATURE_ROW(prefix, function_and_args) prefix "_ZN8armature7kernels4neon" function_and_args
#else
#define ARMATURE_ROW(prefix, function_and_args) prefix "_ZN8armature7kernels4avx2" function_and_args
#endif
#define ARMATURE_REAL(function_and_args) ARMATURE_ROW("__real_", function_and_args)
#define ARMATURE_WRAP(function_and_args) ARMATURE_ROW("__wrap_", function_and_args)

bool has_fault(std::string_view name) {
  const char* fault = std::getenv("ARMATURE_TEST_FAULT");
  return fault != nullptr && name == fault;
}

}  // namespace

void real_matmul(const MatmulArgs& args) noexcept
    asm(ARMATURE_REAL("17matmul_q4_0_q8_32ERKNS0_10MatmulArgsE"));
void wrap_matmul(const MatmulArgs& args) noexcept
    asm(ARMATURE_WRAP("17matmul_q4_0_q8_32ERKNS0_10MatmulArgsE"));
void real_round(const RoundArgs& args) noexcept asm(ARMATURE_REAL("11round_q8_32ERKNS0_9RoundArgsE"));
void wrap_round(const RoundArgs& args) noexcept asm(ARMATURE_WRAP("11round_q8_32ERKNS0_9RoundArgsE"));
void real_attention(const AttentionArgs& args) noexcept
    asm(ARMATURE_REAL("17attention_f16_f16ERKNS0_13AttentionArgsE"));
void wrap_attention(const AttentionArgs& args) noexcept
    asm(ARMATURE_WRAP("17attention_f16_f16ERKNS0_13AttentionArgsE"));

/// "tail": the last column is left out where their number is odd.
void wrap_matmul(const MatmulArgs& args) noexcept {
  std::vector<float> before;
  for (std::size_t i = 0; i < args.m; ++i) before.push_back(args.y[i * args.y_stride + args.n - 1]);
  real_matmul(args);
  if (!has_fault("tail") || args.n % 2 == 0) return;
  for (std::size_t i = 0; i < args.m; ++i) args.y[i * args.y_stride + args.n - 1] = before[i];
}

/// "round": one code of each row is off by one.
void wrap_round(const RoundArgs& args) noexcept {
  real_round(args);
  if (!has_fault("round")) return;
  for (std::size_t i = 0; i < args.m; ++i) {
    std::int8_t& code = args.codes[i * args.codes_stride + args.k - 1];
    code = static_cast<std::int8_t>(code == 0 ? 1 : code - 1);
  }
}

/// "window": keys in front of a query's window are seen.
void wrap_attention(const AttentionArgs& args) noexcept {
  AttentionArgs changed = args;
  std::vector<std::int32_t> lo(args.lo, args.lo + args.n_q);
  if (has_fault("window"))
    for (std::size_t i = 0; i < args.n_q; ++i)
      if (args.lo[i] < args.hi[i]) lo[i] = 0;
  changed.lo = lo.data();
  real_attention(changed);
}
