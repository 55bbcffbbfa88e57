# shellcheck shell=bash
# Sourced by tools/try.sh, tools/test.sh and .ci/run, at the top of the tree: packages and builds.
# Everything that is said here goes to standard error.

say() { printf '%s\n' "$*" >&2; }

# need WHAT:PACKAGE...  WHAT is a command, or a file by its full path. Installs the Debian or Ubuntu packages of those
# that are missing, or says what they are and fails.
need() {
  local item missing=()
  for item; do
    case $item in
      /*) [[ -e ${item%:*} ]] || missing+=("${item#*:}") ;;
      *) command -v "${item%:*}" >/dev/null || missing+=("${item#*:}") ;;
    esac
  done
  [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
}

install_packages() {
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then as_root=(sudo); fi
  if ! command -v apt-get >/dev/null || { [[ ${#as_root[@]} -gt 0 ]] && ! command -v sudo >/dev/null; }; then
    say "Missing, and not installed for want of apt-get as root (Debian package names): $*"
    return 1
  fi
  say "Installing packages: $*"
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@")
  # The package lists may be absent or older than the archive.
  "${install[@]}" >/dev/null 2>&1 </dev/null && return
  "${as_root[@]}" apt-get update >&2 </dev/null
  "${install[@]}" >&2 </dev/null
}

need_build_tools() {
  need cmake:cmake ninja:ninja-build g++:g++ /usr/include/nlohmann/json.hpp:nlohmann-json3-dev
}

# Clang with its sanitizers, libFuzzer and OpenMP.
need_clang() {
  need clang++:clang
  need "$(clang++ -print-file-name="libclang_rt.fuzzer-$(uname -m).a"):libclang-rt-dev"
  printf '#include <omp.h>\nint main() {}\n' | clang++ -fopenmp -x c++ - -o /dev/null 2>/dev/null ||
    install_packages libomp-dev
}

# configure PRESET [CMAKE-ARGUMENT...]
configure() {
  local preset=$1
  shift
  if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
  cmake --preset "$preset" -DARMATURE_WERROR="${ARMATURE_WERROR:-OFF}" "$@" >&2
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  cmake --build --preset "$preset" ${1:+--target "$@"} >&2
}
