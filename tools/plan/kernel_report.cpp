#include "tools/plan/kernel_report.h"

#include <nlohmann/json.hpp>

#include "gguf/compose.h"
#include "tools/cli/columns.h"
#include "tools/cli/units.h"

namespace armature::tools {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

std::string cache_type_name(gguf::TensorType type) {
  std::string name(gguf::type_info(type).name);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

nlohmann::ordered_json kernels_json(std::span<const KernelChoice> kernels) {
  Json json = Json::array();
  for (const KernelChoice& k : kernels) {
    Json not_taken = Json::array();
    for (const RowNotTaken& row : k.not_taken)
      not_taken.push_back({{"kernel", row.kernel}, {"reason", name_of(row.reason)}});
    json.push_back({{"operation", k.operation},
                    {"type", or_null(k.type)},
                    {"rows", or_null(k.regime)},
                    {"kernel", k.kernel},
                    {"tensors", k.n_tensors},
                    {"bytes", k.bytes},
                    {"not_taken", not_taken}});
  }
  return json;
}

std::string kernels_text(std::span<const KernelChoice> kernels, std::string_view masked_by,
                         std::size_t indent) {
  Columns columns("lllrrll");
  columns.add({"operation", "type", "rows", "tensors", "size", "kernel", "better, but not taken"});
  for (const KernelChoice& k : kernels) {
    std::string not_taken;
    for (const RowNotTaken& row : k.not_taken) {
      not_taken += compose("{}{}: {}", not_taken.empty() ? "" : ", ", row.kernel, name_of(row.reason));
      if (row.reason == RowNotTaken::Reason::Masked) not_taken += compose(" by {}", masked_by);
    }
    columns.add({k.operation, k.type, k.regime, k.n_tensors > 0 ? compose("{}", k.n_tensors) : "",
                 k.bytes > 0 ? size_text(k.bytes) : "", std::string(k.kernel), not_taken});
  }
  return columns.text(indent);
}

}  // namespace armature::tools
