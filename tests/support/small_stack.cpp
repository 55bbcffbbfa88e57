#include "tests/support/small_stack.h"

#include <pthread.h>

#include <exception>
#include <stdexcept>

namespace armature::test {

namespace {

struct Task {
  const std::function<void()>& work;
  std::exception_ptr thrown = nullptr;
};

void* run(void* argument) {
  auto& task = *static_cast<Task*>(argument);
  try {
    task.work();
  } catch (...) {
    task.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void run_on_stack(std::size_t bytes, const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_t thread{};
  Task task{work};
  ::pthread_attr_init(&attributes);
  const bool started = ::pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                       ::pthread_create(&thread, &attributes, run, &task) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!started) throw std::runtime_error("no thread with a stack of that size");
  ::pthread_join(thread, nullptr);
  if (task.thrown) std::rethrow_exception(task.thrown);
}

}  // namespace armature::test
