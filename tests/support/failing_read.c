/* A library to preload: pread() gives at most 1000 bytes at once, as a network disk may, and fails with EIO
   for bytes from offset ARMATURE_FAILING_READ of a file on. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t pread(int file, void* out, size_t size, off_t offset) {
  const size_t most = 1000;
  const char* text = getenv("ARMATURE_FAILING_READ");
  const int64_t end = text == NULL ? INT64_MAX : strtoll(text, NULL, 0);
  if (offset >= end) {
    errno = EIO;
    return -1;
  }
  const uint64_t left = (uint64_t)(end - offset);
  if (size > most) size = most;
  if (size > left) size = left;
  return syscall(SYS_pread64, file, out, size, offset);
}

ssize_t pread64(int file, void* out, size_t size, off_t offset) { return pread(file, out, size, offset); }
