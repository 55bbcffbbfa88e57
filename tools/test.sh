#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh

usage() {
  cat <<'END'
usage: tools/test.sh [--quick | --fuzz SECONDS]

Builds and runs all tests: a release build, one by Clang with AddressSanitizer and UndefinedBehaviorSanitizer, and on
x86-64 also an arm64 build under emulation, its kernels on several CPUs. Installs the packages that are missing, on
Debian and Ubuntu, as root or with sudo.

  --quick         the native builds only
  --fuzz SECONDS  the sanitized build's fuzz targets only, each for that time
  --help          this text
END
}

jobs=$(nproc)

stage() { say "" && say "== $*  ($SECONDS s)"; }

# run_tests PRESET [CTEST-ARGUMENT...]: CTest's lines, then how many single tests passed and were skipped.
run_tests() {
  local status=0
  ctest --preset "$1" -j "$jobs" --timeout 3000 --no-tests=error "${@:2}" </dev/null || status=$?
  awk '/^\[  PASSED  \]/ { passed += $4 } /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
       END { printf "single tests: %d passed, %d skipped\n", passed, skipped }' \
    "build/$1/Testing/Temporary/LastTest.log"
  return "$status"
}

test_natively() {
  local preset=$1
  stage "build $preset"
  configure "$preset" -DARMATURE_TESTS=ON
  build "$preset"
  stage "tests, $preset"
  run_tests "$preset"
}

test_arm64() {
  stage "build arm64"
  need aarch64-linux-gnu-g++:g++-aarch64-linux-gnu qemu-aarch64:qemu-user
  get_arm64_utf8proc
  configure arm64 -DARMATURE_TESTS=ON
  build arm64
  stage "tests, arm64"
  run_tests arm64
}

# fuzz SECONDS: new inputs go to build/fuzz/corpus, findings to build/fuzz.
fuzz() {
  stage "build the fuzz targets"
  need_clang
  configure asan -DARMATURE_TESTS=ON
  local names=(tests/fuzz/*_fuzz.cpp)
  names=("${names[@]#tests/fuzz/}")
  names=("${names[@]%_fuzz.cpp}")
  build asan "${names[@]/#/fuzz_}"
  local name options folders
  for name in "${names[@]}"; do
    stage "fuzz $name for $1 s"
    options=(-max_total_time="$1" -timeout=10 -artifact_prefix=build/fuzz/ -print_final_stats=1 -verbosity=0)
    if [[ -e tests/fuzz/$name.dict ]]; then options+=(-dict="tests/fuzz/$name.dict"); fi
    folders=("build/fuzz/corpus/$name")
    if [[ -d tests/fuzz/corpus/$name ]]; then folders+=("tests/fuzz/corpus/$name"); fi
    mkdir -p "${folders[0]}"
    "build/asan/tests/fuzz/fuzz_$name" "${options[@]}" "${folders[@]}" </dev/null
  done
}

case ${1:-} in
  --help | -h) usage && exit ;;
  --fuzz)
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { usage >&2 && exit 2; }
    need_build_tools
    need /usr/src/googletest/CMakeLists.txt:googletest
    fuzz "$2"
    ;;
  "" | --quick)
    need_build_tools
    need /usr/src/googletest/CMakeLists.txt:googletest
    test_natively release
    need_clang
    test_natively asan
    if [[ ${1:-} != --quick && $(uname -m) == x86_64 ]]; then test_arm64; fi
    ;;
  *) usage >&2 && exit 2 ;;
esac
stage "done"
