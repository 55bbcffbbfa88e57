#include "tools/perplexity/text_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "gguf/compose.h"
#include "tools/cli/units.h"

namespace armature::tools::perplexity {
namespace {

std::string right(std::string text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

struct Format {
  std::size_t width, error_width;
  int digits;
};
constexpr Format kShort = {9, 9, 4}, kLong = {10, 10, 5}, kFull = {10, 10, 6}, kPercent = {6, 6, 3},
                 kPercentAtEnd = {6, 5, 3};

std::string with_error(Estimate e, const Format& f) {
  return compose("{} ± {}", right(fixed(e.value, f.digits), f.width),
                 right(fixed(e.error, f.digits), f.error_width));
}

Estimate percent(Estimate e) { return {100 * e.value, 100 * e.error}; }

struct Quantile {
  std::string_view name;
  double fraction;
};
constexpr std::array<Quantile, 11> kKldQuantiles = {{{"Maximum", 1},
                                                     {"99.9%  ", 0.999},
                                                     {"99.0%  ", 0.99},
                                                     {"95.0%  ", 0.95},
                                                     {"90.0%  ", 0.9},
                                                     {"Median ", 0.5},
                                                     {"10.0%  ", 0.1},
                                                     {" 5.0%  ", 0.05},
                                                     {" 1.0%  ", 0.01},
                                                     {" 0.1%  ", 0.001},
                                                     {"Minimum", 0}}};
constexpr std::array<Quantile, 13> kDeltaQuantiles = {{{"Maximum", 1},
                                                       {"99.9%  ", 0.999},
                                                       {"99.0%  ", 0.99},
                                                       {"95.0%  ", 0.95},
                                                       {"90.0%  ", 0.9},
                                                       {"75.0%  ", 0.75},
                                                       {"Median ", 0.5},
                                                       {"25.0%  ", 0.25},
                                                       {"10.0%  ", 0.1},
                                                       {" 5.0%  ", 0.05},
                                                       {" 1.0%  ", 0.01},
                                                       {" 0.1%  ", 0.001},
                                                       {"Minimum", 0}}};

std::string perplexity_section(const Divergence& d) {
  return compose(
      "====== Perplexity statistics ======\n"
      "Mean PPL(Q)                   : {}\n"
      "Mean PPL(base)                : {}\n"
      "Cor(ln(PPL(Q)), ln(PPL(base))): {}%\n"
      "Mean ln(PPL(Q)/PPL(base))     : {}\n"
      "Mean PPL(Q)/PPL(base)         : {}\n"
      "Mean PPL(Q)-PPL(base)         : {}\n",
      with_error(exponential(d.nll()), kFull), with_error(exponential(d.nll_base()), kFull),
      right(fixed(100 * d.correlation(), 2), 6), with_error(d.ln_ratio(), kFull),
      with_error(exponential(d.ln_ratio()), kFull), with_error(d.ppl_difference(), kFull));
}

std::string kld_section(const Divergence& d) {
  std::string text =
      compose("====== KL divergence statistics ======\nMean    KLD: {}\n", with_error(d.kld(), kFull));
  const std::vector<double> values = d.sorted_kld();
  for (const Quantile& q : kKldQuantiles)
    text += compose("{} KLD: {}\n", q.name, right(fixed(quantile(values, q.fraction), 6), 10));
  return text;
}

std::string probability_section(const Divergence& d) {
  std::string text = compose("====== Token probability statistics ======\nMean    Δp: {} %\n",
                             with_error(percent(d.delta_p()), kPercentAtEnd));
  const std::vector<double> values = d.sorted_delta_p();
  for (const Quantile& q : kDeltaQuantiles)
    text += compose("{} Δp: {}%\n", q.name, right(fixed(100 * quantile(values, q.fraction), 3), 6));
  return text + compose("RMS Δp    : {} %\nSame top p: {} %\n",
                        with_error(percent(d.rms_delta_p()), kPercentAtEnd),
                        with_error(percent(d.same_top()), kPercentAtEnd));
}

}  // namespace

std::string running_text(std::size_t chunk, const RunningMean& nll) {
  return compose("[{}]{},", chunk + 1, fixed(std::exp(nll.mean()), 4));
}

std::string running_line(std::size_t first_token, const RunningMean& nll) {
  return compose("{}  {}  {}  {}\n", right(compose("{}", first_token), 8), fixed(std::exp(nll.mean()), 4),
                 fixed(nll.mean(), 6), fixed(nll.error(), 6));
}

std::string final_line(const RunningMean& nll) {
  const Estimate ppl = exponential(estimate(nll));
  return compose("Final estimate: PPL = {} +/- {}\n", fixed(ppl.value, 4), fixed(ppl.error, 5));
}

std::string divergence_head() {
  return "chunk             PPL               ln(PPL(Q)/PPL(base))          KL Divergence              Δp RMS"
         "            Same top p\n";
}

std::string divergence_line(std::size_t chunk, const Divergence& d) {
  return compose("{}    {}    {}    {}    {} %    {} %\n", right(compose("{}", chunk + 1), 4),
                 with_error(exponential(d.nll()), kShort), with_error(d.ln_ratio(), kLong),
                 with_error(d.kld(), kLong), with_error(percent(d.rms_delta_p()), kPercent),
                 with_error(percent(d.same_top()), kPercent));
}

std::string divergence_text(const Divergence& divergence) {
  return compose("{}\n{}\n{}", perplexity_section(divergence), kld_section(divergence),
                 probability_section(divergence));
}

}  // namespace armature::tools::perplexity
