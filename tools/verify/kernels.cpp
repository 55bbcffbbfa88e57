#include "tools/verify/kernels.h"

#include <algorithm>
#include <type_traits>

#include "gguf/compose.h"
#include "kernels/peak_check.h"
#include "tools/verify/rows.h"

namespace armature::tools::verify {
namespace {

using gguf::TensorType;
using kernels::Form;

std::string_view name_of(TensorType type) { return gguf::type_info(type).name; }
std::string_view name_of(Form form) {
  return form == Form::F32 ? "F32" : form == Form::Q8_32 ? "Q8_32" : "Q8_256";
}

// What a row is called, but for its ISA.
std::string subject(const kernels::MatmulRow& row) {
  return compose("matmul {} {}", name_of(row.weights), name_of(row.form));
}
std::string subject(const kernels::PanelRow& row) {
  return compose("panel {} {}", name_of(row.weights), name_of(row.form));
}
std::string subject(const kernels::RoundRow& row) { return compose("rounding {}", name_of(row.form)); }
std::string subject(const kernels::DequantizeRow& row) {
  return compose("dequantize {}", name_of(row.weights));
}
std::string subject(const kernels::NormRow& row) {
  return row.kind == kernels::Norm::Rms ? "RMS norm" : "layer norm";
}
std::string subject(const kernels::RopeRow& row) {
  return row.pairs == kernels::RopePairs::Adjacent ? "rope of neighbours" : "rope of halves";
}
std::string subject(const kernels::ActivationRow& row) {
  return row.kind == kernels::Activation::Silu ? "activation SiLU" : "activation GELU";
}
std::string subject(const kernels::SoftmaxRow&) { return "softmax"; }
std::string subject(const kernels::StoreRow& row) { return compose("store {}", name_of(row.to)); }
std::string subject(const kernels::AttentionRow& row) {
  return compose("attention {}/{}", name_of(row.k), name_of(row.v));
}

std::string subject(const kernels::PeakRow& row) { return compose("peak {}", kernels::name_of(row.kind)); }
std::string subject(const kernels::ReadRow&) { return "read"; }

template <class Row>
std::string area(const Row& row) {
  return compose("kernels, {}", row.name);
}

/// Calls visit(rows) for the rows of each kind.
template <class Visit>
void for_each_kind(const Visit& visit) {
  visit(kernels::matmul_rows());
  visit(kernels::panel_rows());
  visit(kernels::round_rows());
  visit(kernels::dequantize_rows());
  visit(kernels::norm_rows());
  visit(kernels::rope_rows());
  visit(kernels::activation_rows());
  visit(kernels::softmax_rows());
  visit(kernels::store_rows());
  visit(kernels::attention_rows());
  visit(kernels::peak_rows());
  visit(kernels::read_rows());
}

/// Products are compared with double arithmetic, and what measures the machine with its own count, scalar
/// rows too.
template <class Row>
constexpr bool kIsComparedWithScalar =
    !(std::is_same_v<Row, kernels::MatmulRow> || std::is_same_v<Row, kernels::PanelRow> ||
      std::is_same_v<Row, kernels::PeakRow> || std::is_same_v<Row, kernels::ReadRow>);

template <class Row>
Check check(const Row& row, cpu::Features have) {
  const cpu::Features lacking = row.needs & ~have;
  if (row.needs == cpu::kNone && kIsComparedWithScalar<Row>)
    return not_run(area(row), subject(row), "the others are compared with it");
  if (lacking == cpu::kNone) return make_check(area(row), subject(row), fault_of(row));
  const bool is_masked = cpu::has(cpu::detect(), row.needs);
  return not_run(area(row), subject(row),
                 compose(is_masked ? "--isa leaves out {}" : "this CPU lacks {}", cpu::describe(lacking)));
}

/// Whether this row is what a plan's line stands for.
bool is_chosen(const kernels::MatmulRow& row, const KernelChoice& c) {
  return c.operation == "matmul" && c.regime == "few rows" && c.type == name_of(row.weights);
}
bool is_chosen(const kernels::PanelRow& row, const KernelChoice& c) {
  return c.operation == "matmul" && c.regime == "many rows" && c.type == name_of(row.weights);
}
bool is_chosen(const kernels::RoundRow& row, const KernelChoice& c) {
  return c.operation == "rounding" && c.type == name_of(row.form);
}
bool is_chosen(const kernels::DequantizeRow& row, const KernelChoice& c) {
  return c.operation == "embedding" && c.type == name_of(row.weights);
}
bool is_chosen(const kernels::NormRow&, const KernelChoice& c) { return c.operation == "norm"; }
bool is_chosen(const kernels::RopeRow&, const KernelChoice& c) { return c.operation == "rope"; }
bool is_chosen(const kernels::ActivationRow&, const KernelChoice& c) { return c.operation == "activation"; }
bool is_chosen(const kernels::SoftmaxRow&, const KernelChoice& c) { return c.operation == "softmax"; }
bool is_chosen(const kernels::StoreRow& row, const KernelChoice& c) {
  return c.operation == "store" && c.type == name_of(row.to);
}
bool is_chosen(const kernels::AttentionRow& row, const KernelChoice& c) {
  return c.operation == "attention" && c.type == compose("{}/{}", name_of(row.k), name_of(row.v));
}
// No model runs on these.
bool is_chosen(const kernels::PeakRow&, const KernelChoice&) { return false; }
bool is_chosen(const kernels::ReadRow&, const KernelChoice&) { return false; }

}  // namespace

void check_kernels(cpu::Features have, const std::function<bool()>& stop, const Listener& listener) {
  for_each_kind([&](const auto& rows) {
    for (const auto& row : rows)
      if (!stop()) listener(check(row, have));
  });
}

Fault PlanChecker::fault_of(const std::vector<KernelChoice>& plan) {
  Fault first;
  for_each_kind([&](const auto& rows) {
    for (const auto& row : rows) {
      const bool chosen = std::any_of(plan.begin(), plan.end(), [&](const KernelChoice& choice) {
        return choice.kernel == row.name && is_chosen(row, choice);
      });
      if (first || !chosen || right_.contains(&row)) continue;
      if (const auto fault = verify::fault_of(row))
        first = compose("{} {}: {}", subject(row), row.name, *fault);
      else
        right_.insert(&row);
    }
  });
  return first;
}

}  // namespace armature::tools::verify
