#include "engine/thread_probe.h"

#include <pthread.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <vector>

namespace armature {
namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Powers of two, or nothing for what is no unit.
std::optional<unsigned> shift_of(std::string_view unit) {
  if (unit.empty()) return 10;
  if (unit.size() > 1) return std::nullopt;
  const std::size_t place = std::string_view("bBkKmMgG").find(unit[0]);
  if (place == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(place / 2 * 10);
}

/// Attributes of a thread as the OpenMP library makes them.
class Attributes {
 public:
  Attributes() {
    ::pthread_attr_init(&attributes_);
    for (const char* name : {"OMP_STACKSIZE", "GOMP_STACKSIZE"}) {
      const char* text = std::getenv(name);
      const auto bytes = text == nullptr ? std::nullopt : parse_stack_size(text);
      if (!bytes) continue;
      ::pthread_attr_setstacksize(&attributes_, *bytes);  // refused where it is too small, as there
      return;
    }
  }
  ~Attributes() { ::pthread_attr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const pthread_attr_t* get() const { return &attributes_; }

 private:
  pthread_attr_t attributes_;
};

}  // namespace

std::optional<std::size_t> parse_stack_size(std::string_view text) {
  text = without_blanks(text);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  const auto shift = shift_of(without_blanks(text));
  if (!shift || number > std::numeric_limits<std::size_t>::max() >> *shift) return std::nullopt;
  return number << *shift;
}

std::size_t probe_threads(std::size_t n) {
  const Attributes attributes;
  std::vector<pthread_t> threads;
  threads.reserve(n);  // nothing may fail while they run
  std::atomic<bool> leave{false};
  const auto idle = [](void* flag) -> void* {
    static_cast<std::atomic<bool>*>(flag)->wait(false);
    return nullptr;
  };
  for (std::size_t i = 0; i < n; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, attributes.get(), idle, &leave) != 0) break;
    threads.push_back(thread);
  }
  leave = true;
  leave.notify_all();
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  return threads.size();
}

}  // namespace armature
