#include "engine/kernel_plan.h"

#include <algorithm>
#include <span>

#include "gguf/compose.h"

namespace armature {

namespace {

using gguf::TensorType;

std::string type_name(TensorType type) { return std::string(gguf::type_info(type).name); }

/// Collects choices; products on one type are one choice for all their matrices.
class Plan {
 public:
  explicit Plan(const KernelPlanOptions& options) : options_(options) {}

  /// The row of `rows` that fits and was chosen, which is one of them.
  template <class Row, class Fits>
  KernelChoice& add(std::string operation, std::string type, std::string regime, std::span<const Row> rows,
                    const Row& chosen, Fits fits) {
    KernelChoice choice{std::move(operation), std::move(type), std::move(regime), chosen.name, 0, 0, {}};
    for (const Row* row = rows.data(); row != &chosen; ++row)
      if (fits(*row)) choice.not_taken.push_back({row->name, reason(row->needs)});
    return choices_.emplace_back(std::move(choice));
  }

  void add_product(const Matrix& m) {
    if (m.few == nullptr) return;
    const auto fits = [&](const auto& row) { return row.weights == m.type; };
    count(find_or_add("matmul", m, "few rows", kernels::matmul_rows(), *m.few, fits), m);
    count(find_or_add("matmul", m, "many rows", kernels::panel_rows(), *m.many, fits), m);
  }

  std::vector<KernelChoice> take() { return std::move(choices_); }

 private:
  RowNotTaken::Reason reason(cpu::Features needs) const {
    return cpu::has(options_.detected, needs) ? RowNotTaken::Reason::Masked : RowNotTaken::Reason::NotInCpu;
  }

  template <class Row, class Fits>
  KernelChoice& find_or_add(const std::string& operation, const Matrix& m, const std::string& regime,
                            std::span<const Row> rows, const Row& chosen, Fits fits) {
    const std::string type = type_name(m.type);
    const auto same = std::find_if(choices_.begin(), choices_.end(), [&](const KernelChoice& c) {
      return c.operation == operation && c.type == type && c.regime == regime;
    });
    return same != choices_.end() ? *same : add(operation, type, regime, rows, chosen, fits);
  }

  static void count(KernelChoice& choice, const Matrix& m) {
    ++choice.n_tensors;
    choice.bytes += m.n * m.stride;
  }

  const KernelPlanOptions& options_;
  std::vector<KernelChoice> choices_;
};

void add_products(Plan& plan, const Weights& weights) {
  for (const LayerWeights& layer : weights.layers)
    for (const Matrix* m : layer.matrices()) plan.add_product(*m);
  plan.add_product(weights.output);
}

void add_embedding(Plan& plan, const Weights& weights) {
  const Matrix& table = weights.token_embd;
  if (table.few == nullptr) return;
  KernelChoice& choice =
      plan.add("embedding", type_name(table.type), "", kernels::dequantize_rows(), *weights.embed,
               [&](const kernels::DequantizeRow& row) { return row.weights == table.type; });
  choice.n_tensors = 1;
  choice.bytes = table.n * table.stride;
}

bool rounds_to(const Weights& weights, kernels::Form form) {
  const auto wants = [form](const Matrix& m) {
    return m.few != nullptr && (m.few->form == form || m.many->form == form);
  };
  return wants(weights.output) ||
         std::any_of(weights.layers.begin(), weights.layers.end(), [&](const auto& l) {
           const auto matrices = l.matrices();
           return std::any_of(matrices.begin(), matrices.end(), [&](const Matrix* m) { return wants(*m); });
         });
}

void add_rounding(Plan& plan, const Weights& weights, cpu::Features have) {
  using kernels::Form;
  for (const auto& [form, name] : {std::pair{Form::Q8_32, "Q8_32"}, std::pair{Form::Q8_256, "Q8_256"}}) {
    if (!rounds_to(weights, form)) continue;
    plan.add("rounding", name, "", kernels::round_rows(), kernels::choose_round(form, have),
             [form = form](const kernels::RoundRow& row) { return row.form == form; });
  }
}

void add_operations(Plan& plan, const ModelConfig& c, const KernelPlanOptions& o) {
  using namespace kernels;
  const cpu::Features have = o.features;
  plan.add("norm", "", "", norm_rows(), choose_norm(c.norm, have),
           [&](const NormRow& row) { return row.kind == c.norm; });
  plan.add("rope", "", "", rope_rows(), choose_rope(c.rope_pairs, have),
           [&](const RopeRow& row) { return row.pairs == c.rope_pairs; });
  plan.add("activation", "", "", activation_rows(), choose_activation(c.activation, have),
           [&](const ActivationRow& row) { return row.kind == c.activation; });
  const auto store = [&](TensorType to) {
    plan.add("store", type_name(to), "", store_rows(), choose_store(to, have),
             [=](const StoreRow& row) { return row.to == to; });
  };
  store(o.type_k);
  if (o.type_v != o.type_k) store(o.type_v);
  plan.add("attention", compose("{}/{}", type_name(o.type_k), type_name(o.type_v)), "", attention_rows(),
           choose_attention(o.type_k, o.type_v, have),
           [&](const AttentionRow& row) { return row.k == o.type_k && row.v == o.type_v; });
}

}  // namespace

std::vector<KernelChoice> kernel_plan(const ModelConfig& config, const Weights& weights,
                                      const KernelPlanOptions& options) {
  Plan plan(options);
  add_products(plan, weights);
  add_embedding(plan, weights);
  add_rounding(plan, weights, options.features);
  add_operations(plan, config, options);
  return plan.take();
}

std::string_view name_of(RowNotTaken::Reason reason) {
  return reason == RowNotTaken::Reason::Masked ? "masked" : "not in this CPU";
}

std::string to_line(const KernelChoice& choice) {
  std::string line = choice.operation;
  if (!choice.type.empty()) line += " " + choice.type;
  if (!choice.regime.empty()) line += ", " + choice.regime;
  line += compose(": {}", choice.kernel);
  std::string passed;
  for (const RowNotTaken& row : choice.not_taken)
    passed += compose("{}{}: {}", passed.empty() ? "" : ", ", row.kernel, name_of(row.reason));
  return passed.empty() ? line : compose("{} ({})", line, passed);
}

}  // namespace armature
