/* A library to preload: allocation number ARMATURE_FAILING_ALLOCATION of the process, from 1, fails. C++'s
   operator new comes to malloc() too. At its end the process writes "allocations: N". */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own, by names under which they are not replaced. */
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t n, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_long n_allocations;

static long failing_number(void) {
  static atomic_long number = -1;
  if (number < 0) {
    const char* text = getenv("ARMATURE_FAILING_ALLOCATION");
    number = text == NULL ? 0 : strtol(text, NULL, 10);
  }
  return number;
}

static int fails(void) {
  if (atomic_fetch_add(&n_allocations, 1) + 1 != failing_number()) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void* realloc(void* old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void** out, size_t alignment, size_t size) {
  void* memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *out = memory;
  return 0;
}

__attribute__((destructor)) static void write_count(void) {
  char line[64];
  const int size = snprintf(line, sizeof(line), "allocations: %ld\n", (long)n_allocations);
  if (write(STDERR_FILENO, line, (size_t)size) != size) _exit(125);
}
