#include <nlohmann/json.hpp>

#include "tools/inspect/inspection.h"
#include "tools/inspect/metadata_view.h"
#include "tools/plan/kernel_report.h"

namespace armature::tools {
namespace {

using Json = nlohmann::ordered_json;

Json files_json(const gguf::ModelFiles& files) {
  Json list = Json::array();
  for (const gguf::File& file : files.files())
    list.push_back({{"path", file.name()}, {"bytes", file.size}, {"tensors", file.tensors.size()}});
  return list;
}

Json tensors_json(const gguf::ModelFiles& files) {
  Json list = Json::array();
  for (std::size_t i = 0; i < files.files().size(); ++i) {
    for (const gguf::TensorInfo& tensor : files.files()[i].tensors) {
      const std::vector<std::uint64_t> shape(tensor.shape.begin(), tensor.shape.begin() + tensor.n_dims);
      list.push_back({{"name", tensor.name},
                      {"type", gguf::type_info(tensor.type).name},
                      {"shape", shape},
                      {"offset", tensor.offset},
                      {"bytes", tensor.size},
                      {"file", i}});
    }
  }
  return list;
}

Json types_json(const Census& census) {
  const auto or_null = [](std::string_view kernel) { return kernel.empty() ? Json(nullptr) : Json(kernel); };
  Json list = Json::array();
  for (const TypeCensus& row : census.types) {
    list.push_back({{"type", gguf::type_info(row.type).name},
                    {"tensors", row.sums.tensors},
                    {"parameters", row.sums.parameters},
                    {"bytes", row.sums.bytes},
                    {"bits_per_weight", row.sums.bits_per_weight()},
                    {"kernel_few_rows", or_null(row.few)},
                    {"kernel_many_rows", or_null(row.many)}});
  }
  return list;
}

Json kv_json(const Inspection& inspection) {
  if (inspection.kv_bytes_per_token.empty()) return nullptr;
  Json bytes = Json::object();
  for (const auto& [type, n] : inspection.kv_bytes_per_token) bytes[cache_type_name(type)] = n;
  return bytes;
}

Json faults_json(const std::vector<Error>& faults) {
  Json list = Json::array();
  for (const Error& fault : faults)
    list.push_back({{"code", name_of(fault.code())}, {"message", fault.what()}});
  return list;
}

}  // namespace

std::string to_json(const Inspection& inspection, bool full) {
  const gguf::ModelFiles& files = *inspection.files;
  const gguf::File& first = files.files().front();
  const TensorSums& all = inspection.census.all;
  Json json;
  json["path"] = first.name();
  json["bytes"] = files.total_bytes();
  json["version"] = first.version;
  json["alignment"] = first.alignment;
  json["files"] = files_json(files);
  json["metadata"] = metadata_json(files.metadata(), full);
  json["tensors"] = tensors_json(files);
  json["types"] = types_json(inspection.census);
  json["parameters"] = all.parameters;
  json["bits_per_weight"] = all.bits_per_weight();
  json["kv_bytes_per_token"] = kv_json(inspection);
  json["kernels"] = kernels_json(inspection.kernels);
  json["tokenizer"] = inspection.tokenizer ? to_json(*inspection.tokenizer) : Json(nullptr);
  json["chat_templates"] = to_json(inspection.chat_templates);
  json["runs"] = inspection.runs();
  json["problems"] = faults_json(inspection.check.faults);
  json["warnings"] = inspection.warnings;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace armature::tools
