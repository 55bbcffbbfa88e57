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
  need cmake:cmake ninja:ninja-build g++:g++ /usr/include/nlohmann/json.hpp:nlohmann-json3-dev \
    /usr/include/utf8proc.h:libutf8proc-dev
}

# Unpacks utf8proc for arm64 into build/arm64-root, where the cross build looks for it: a download from the archives
# that the system has, beside its own packages and lists. The cross build goes without --nfc where that fails.
get_arm64_utf8proc() (
  local root=$PWD/build/arm64-root
  [[ ! -e $root/usr/include/utf8proc.h ]] || return 0
  mkdir -p "$root/apt/lists" "$root/apt/cache"
  touch "$root/apt/status"
  local apt=(apt-get -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$root/apt"
    -o Dir::State::status="$root/apt/status" -o Dir::Cache="$root/apt/cache" -o APT::Sandbox::User=)
  if { "${apt[@]}" update && cd "$root/apt" && "${apt[@]}" download libutf8proc-dev &&
    dpkg-deb -x libutf8proc-dev_*_arm64.deb "$root"; } >/dev/null 2>&1 </dev/null; then
    # Without the link to the shared library the static one is taken, and the emulator needs no other folder.
    rm -rf "$root/apt" "$root"/usr/lib/aarch64-linux-gnu/libutf8proc.so
  else
    say "No utf8proc for arm64 in the archives of this system: its tests are skipped there."
  fi
)

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
  if command -v ccache >/dev/null; then
    # Without this it would not serve files that use precompiled headers.
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros
  fi
  cmake --preset "$preset" -DARMATURE_WERROR="${ARMATURE_WERROR:-OFF}" "$@" >&2
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  cmake --build --preset "$preset" ${1:+--target "$@"} >&2
}
