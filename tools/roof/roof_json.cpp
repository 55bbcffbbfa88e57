#include <nlohmann/json.hpp>

#include "kernels/peak_check.h"
#include "tools/roof/roof_report.h"

namespace armature::tools::roof {
namespace {

using Json = nlohmann::ordered_json;

Json read_json(const ReadEntry& entry, const MachineRoofs& roofs) {
  Json json = {{"pages", pages_of(entry)}};
  if (!entry.roof) {
    json["value"] = nullptr;
    json["reason"] = entry.reason;
    return json;
  }
  json["page_bytes"] = entry.page_bytes;
  json["kernel"] = roofs.read_kernel;
  json["threads"] = entry.roof->n_threads;
  json["gb_s"] = entry.roof->best / kGiga;
  json["median_gb_s"] = entry.roof->median / kGiga;
  json["passes"] = entry.roof->passes;
  json["busy"] = is_busy(roofs, entry);
  return json;
}

Json peak_json(const PeakEntry& entry, const MachineRoofs& roofs) {
  Json json = {{"arithmetic", name_of(entry.kind)}};
  if (!entry.roof) {
    json["value"] = nullptr;
    json["reason"] = entry.reason;
    return json;
  }
  const double gop_s = kOperations * entry.roof->best / kGiga;
  json["instruction"] = entry.roof->row->instruction;
  json["kernel"] = entry.roof->row->name;
  json["threads"] = entry.roof->n_threads;
  json["gop_s"] = gop_s;
  json["median_gop_s"] = kOperations * entry.roof->median / kGiga;
  json["gop_s_per_thread"] = gop_s / static_cast<double>(entry.roof->n_threads);
  json["passes"] = entry.roof->passes;
  json["busy"] = is_busy(roofs, entry);
  return json;
}

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json head_json(const RoofReport& report) {
  return {{"method", kMethod},
          {"cpu_info", report.cpu_info},
          {"features", report.features},
          {"fingerprint", report.fingerprint},
          {"threads_reason", report.threads_reason}};
}

}  // namespace

std::string json_object(const RoofReport& report) {
  Json json = head_json(report);
  json["buffer_bytes"] = report.roofs.buffer_bytes;
  if (report.cache_bytes > 0) {
    json["cache_bytes"] = report.cache_bytes;
  } else {
    json["cache_bytes"] = {{"value", nullptr}, {"reason", "the system does not say"}};
  }
  json["read"] = Json::array();
  for (const ReadEntry& entry : report.roofs.reads) json["read"].push_back(read_json(entry, report.roofs));
  json["peak"] = Json::array();
  for (const PeakEntry& entry : report.roofs.peaks) json["peak"].push_back(peak_json(entry, report.roofs));
  if (const auto tokens = tokens_read_bound(report.roofs)) json["read_bound_tokens_q4_0"] = *tokens;
  return dump(json, 2);
}

std::string json_lines(const RoofReport& report) {
  std::string text;
  const auto add = [&](std::string_view what, const Json& entry) {
    Json json = head_json(report);
    json["roof"] = what;
    json.update(entry);
    text += dump(json, -1);
  };
  for (const ReadEntry& entry : report.roofs.reads) add("read", read_json(entry, report.roofs));
  for (const PeakEntry& entry : report.roofs.peaks) add("peak", peak_json(entry, report.roofs));
  return text;
}

}  // namespace armature::tools::roof
