#!/usr/bin/env bash
# no_packages.sh: `./dev build` where CMake fails says which packages are missing; where none is, what CMake said.
# Both tools are stand-ins, found before the real ones. Must never build anything.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# stand_in NAME TEXT: a command that runs TEXT.
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
  chmod +x "$work/$1"
}

# build CODE TEXT: fails with that code and says the text.
build() {
  local code=0
  PATH=$work:$PATH "$root/dev" build >"$work/out" 2>"$work/err" </dev/null || code=$?
  [[ $code -eq $1 ]] || { printf 'exit code %s, not %s\n' "$code" "$1"; cat "$work/err"; exit 1; }
  grep -qF -- "$2" "$work/err" || { printf '%s is not in:\n' "$2"; cat "$work/err"; exit 1; }
}

stand_in cmake 'echo "could not find package fmt" >&2; exit 1'
# Every package but ragel is there.
# shellcheck disable=SC2016  # the stand-in expands its arguments
stand_in dpkg-query 'for name; do [ "$name" = ragel ] || echo "installed $name"; done'
build 3 'dev: packages are missing: ragel; run ./dev setup'
# shellcheck disable=SC2016
stand_in dpkg-query 'for name; do echo "installed $name"; done'
build 1 'could not find package fmt'
