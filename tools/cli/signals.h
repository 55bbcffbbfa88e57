#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

/// The program's signals. Process-wide state, set up by main() before any thread starts.
namespace armature::tools {

inline constexpr int kInterruptedStatus = 128 + 2;  // what shells report for SIGINT

/// SIGINT: the first sets interrupted(), the second ends the process with kInterruptedStatus at once. SIGPIPE
/// and SIGXFSZ are ignored: write() tells. SIGBUS in a mapped file, which means that it has shrunk: "error:
/// FILE: ..." and status 1; any other SIGBUS takes its usual course.
void install_signal_handlers();

bool interrupted() noexcept;
/// SIGINT came while a file or a pipe let the program wait: it ends with kInterruptedStatus and says nothing.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};
/// The interrupt was dealt with: the next one is a first one again.
void forget_interrupt() noexcept;

/// Memory in which a file is mapped.
struct MappedRange {
  std::string file;
  std::span<const std::byte> bytes;
};
/// Until ranges are known, a SIGBUS for want of file contents is put down to this file.
void watch_file_being_mapped(const std::string& file);
/// From now on only these count; they must stay mapped to the end of the process.
void watch_mapped_ranges(const std::vector<MappedRange>& ranges);

}  // namespace armature::tools
