#include "tools/bench/record.h"

#include <cmath>

#include "gguf/compose.h"
#include "tools/bench/build_info.h"
#include "tools/bench/statistics.h"
#include "tools/cli/units.h"
#include "tools/setup.h"

namespace armature::tools::bench {
namespace {

class Fields {
 public:
  void text(std::string_view name, std::string_view value) {
    add(name, Field::Kind::Text, std::string(value));
  }
  template <class Int>
  void integer(std::string_view name, Int value) {
    add(name, Field::Kind::Integer, compose("{}", value));
  }
  void boolean(std::string_view name, bool value) { add(name, Field::Kind::Boolean, value ? "1" : "0"); }
  void real(std::string_view name, double value) { add(name, Field::Kind::Real, fixed(value, 6)); }
  std::vector<Field> take() { return std::move(fields_); }

 private:
  void add(std::string_view name, Field::Kind kind, std::string value) {
    fields_.push_back({name, kind, std::move(value)});
  }
  std::vector<Field> fields_;
};

void add_origin(Fields& out, const Record& r) {
  out.text("build_commit", build_commit());
  out.integer("build_number", build_number());
  out.text("cpu_info", r.host.cpu_info);
  out.text("gpu_info", "");
  out.text("backends", "CPU");
  out.text("model_filename", r.model.filename);
  out.text("model_type", r.model.name);
  out.integer("model_size", r.model.bytes);
  out.integer("model_n_params", r.model.n_params);
}

void add_settings(Fields& out, const Record& r) {
  out.integer("n_batch", r.test.n_batch);
  out.integer("n_ubatch", r.test.n_ubatch);
  out.integer("n_threads", r.n_threads);
  out.text("cpu_mask", r.test.cpu_mask);
  out.boolean("cpu_strict", r.test.cpu_strict);
  out.integer("poll", r.test.poll);
  out.text("type_k", r.test.type_k);
  out.text("type_v", r.test.type_v);
}

void add_placement_2026(Fields& out, const Record& r) {
  out.integer("n_gpu_layers", -1);
  out.integer("n_cpu_moe", 0);
  out.text("split_mode", "layer");
  out.integer("main_gpu", 0);
  out.boolean("no_kv_offload", false);
  out.integer("flash_attn", r.test.flash_attn);
  out.text("devices", "auto");
  out.text("tensor_split", "0.00");
  out.text("tensor_buft_overrides", "none");
  out.text("load_mode", r.test.load_mode);
  out.boolean("embeddings", false);
  out.integer("no_op_offload", 0);
  out.boolean("no_host", false);
  out.integer("fit_target", 0);
  out.integer("fit_min_ctx", 0);
}

void add_placement_2025(Fields& out, const Record& r) {
  out.integer("n_gpu_layers", 99);
  out.text("split_mode", "layer");
  out.integer("main_gpu", 0);
  out.boolean("no_kv_offload", false);
  out.boolean("flash_attn", r.test.flash_attn != 0);
  out.text("tensor_split", "0.00");
  out.boolean("use_mmap", load_options(r.test.load_mode).access == gguf::Access::Map);
  out.boolean("embeddings", false);
}

void add_result(Fields& out, const Record& r, Compat compat) {
  out.integer("n_prompt", r.test.n_prompt);
  out.integer("n_gen", r.test.n_gen);
  if (compat == Compat::Year2026) out.integer("n_depth", r.test.n_depth);
  out.text("test_time", r.test_time);
  const std::vector<double> times = nanoseconds_of(r), speeds = rates(r);
  out.integer("avg_ns", std::llround(mean(times)));
  out.integer("stddev_ns", std::llround(standard_deviation(times)));
  out.real("avg_ts", mean(speeds));
  out.real("stddev_ts", standard_deviation(speeds));
}

}  // namespace

std::vector<double> nanoseconds_of(const Record& record) {
  std::vector<double> out;
  for (const Repetition& r : record.repetitions) out.push_back(static_cast<double>(r.total().count()));
  return out;
}

std::vector<double> rates(const Record& record) {
  const auto n_tokens = static_cast<double>(record.test.n_prompt + record.test.n_gen);
  std::vector<double> out = nanoseconds_of(record);
  for (double& value : out) value = 1e9 * n_tokens / value;
  return out;
}

std::vector<Field> fields_of(const Record& record, Compat compat) {
  Fields out;
  add_origin(out, record);
  add_settings(out, record);
  if (compat == Compat::Year2026) {
    add_placement_2026(out, record);
  } else {
    add_placement_2025(out, record);
  }
  add_result(out, record, compat);
  return out.take();
}

}  // namespace armature::tools::bench
