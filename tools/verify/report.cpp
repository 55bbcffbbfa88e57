#include "tools/verify/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "gguf/compose.h"

namespace armature::tools::verify {
namespace {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Right:
      return "right";
    case Verdict::Wrong:
      return "wrong";
    case Verdict::NotRun:
      return "not run";
  }
  return "";
}

/// What the checks of one area came to.
struct Area {
  std::string name;
  std::size_t n_right = 0, n_wrong = 0, n_not_run = 0;
  std::set<std::string> reasons;  // for what was not run

  std::string line() const {
    std::string text = name + ": ";
    if (n_right + n_wrong > 0) text += compose("{} of {} right", n_right, n_right + n_wrong);
    if (n_not_run == 0) return text + "\n";
    text += n_right + n_wrong > 0 ? compose(", {} not run", n_not_run) : compose("{} not run", n_not_run);
    for (const std::string& reason : reasons) text += (reason == *reasons.begin() ? ": " : "; ") + reason;
    return text + "\n";
  }
};

std::vector<Area> areas_of(const std::vector<Check>& checks) {
  std::vector<Area> areas;
  for (const Check& check : checks) {
    auto area = std::find_if(areas.begin(), areas.end(), [&](const Area& a) { return a.name == check.area; });
    if (area == areas.end()) area = areas.insert(areas.end(), {.name = check.area, .reasons = {}});
    area->n_right += check.verdict == Verdict::Right;
    area->n_wrong += check.verdict == Verdict::Wrong;
    area->n_not_run += check.verdict == Verdict::NotRun;
    if (check.verdict == Verdict::NotRun) area->reasons.insert(check.finding);
  }
  return areas;
}

std::string check_line(const Check& check) {
  std::string line = compose("{}: {}, {}", name_of(check.verdict), check.area, check.subject);
  if (!check.finding.empty()) line += ": " + check.finding;
  return line + "\n";
}

std::size_t count(const std::vector<Check>& checks, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(
      checks.begin(), checks.end(), [=](const Check& check) { return check.verdict == verdict; }));
}

}  // namespace

std::size_t Report::n_wrong() const { return count(checks, Verdict::Wrong); }
std::size_t Report::n_run() const { return checks.size() - count(checks, Verdict::NotRun); }

std::string to_text(const Report& report, bool all) {
  std::string text =
      compose("cpu: {}\nfeatures: {}\nmodel: {}\n\n", report.cpu, report.features, report.model);
  for (const Area& area : areas_of(report.checks)) text += area.line();
  text += "\n";
  for (const Check& check : report.checks)
    if (all || check.verdict == Verdict::Wrong) text += check_line(check);
  text += report.n_wrong() == 0 ? compose("all of {} checks are right", report.n_run())
                                : compose("{} of {} checks are wrong", report.n_wrong(), report.n_run());
  return text + (report.complete ? "\n" : "; interrupted\n");
}

std::string to_json(const Report& report) {
  nlohmann::ordered_json json = {{"cpu", report.cpu},           {"features", report.features},
                                 {"model", report.model},       {"right", report.n_wrong() == 0},
                                 {"complete", report.complete}, {"checks", nlohmann::ordered_json::array()}};
  for (const Check& check : report.checks) {
    nlohmann::ordered_json one = {
        {"area", check.area}, {"subject", check.subject}, {"verdict", name_of(check.verdict)}};
    if (!check.finding.empty()) one["finding"] = check.finding;
    json["checks"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace armature::tools::verify
