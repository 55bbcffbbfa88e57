#include "tools/commands/cpu.h"

#include <unistd.h>

#include "gguf/error.h"
#include "tools/cli/output.h"
#include "tools/machine/machine_report.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

ProcessFacts ask_process(const Arguments& args) {
  ProcessFacts facts;
  facts.detected = cpu::detect();
  facts.used = choose_features(args);
  facts.masked_by = features_masked_by(args);
  facts.sve_bits = std::size_t{8} * cpu::sve_bytes();
  facts.identity = {cpu::brand(), cpu::midr()};
  facts.allowed_cpus = allowed_cpus();
  facts.caches = machine::caches_known_to_libc();
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (page_bytes > 0) facts.page_bytes = static_cast<std::uint64_t>(page_bytes);
  facts.limits = memory_limits();
  return facts;
}

}  // namespace

int show_cpu(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (!args.words().empty())
    throw UsageError("the command takes no words, found " + quote(args.words().front()));
  const MachineReport report = read_machine("/", ask_process(args));
  write_stdout(args.is_on(Option::Json) ? to_json(report) : to_text(report));
  return 0;
}

}  // namespace armature::tools
