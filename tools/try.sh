#!/usr/bin/env bash
# Builds Armature and lets its built-in model tell a little story. Arguments, if any, replace the request:
#   tools/try.sh Tell me a story about a whale.
# Installs the packages that are missing, on Debian and Ubuntu, as root or with sudo. Only the story goes to standard
# output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh

need_build_tools
if [[ ! -e build/release/build.ninja ]]; then
  say "Building Armature; the first time takes a few minutes."
  configure release -DARMATURE_TESTS=OFF
fi
build release armature

request=${*:-Tell me a story about a fox.}
say "$ build/release/tools/armature run --temp 0.6 \"$request\""
exec build/release/tools/armature run --temp 0.6 -p "$request"
