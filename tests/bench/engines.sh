#!/usr/bin/env bash
# Wall times of the engines, as a table for jit/README.md:  engines.sh WSEVM
# Every run is a process of its own, on one thread; the engines take turns, so that all see the same host. Judges nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
wsevm=$1 rounds=9
engines=(interp jit auto)

fail() {
  echo "failed: $*" >&2
  exit 1
}

# wall COMMAND...: its milliseconds.
wall() {
  local begin=$EPOCHREALTIME
  "$@" >/dev/null 2>&1 || fail "$@"
  echo $(((${EPOCHREALTIME/./} - ${begin/./} + 500) / 1000))
}

# What other work of the host adds is no part of an engine.
least() { printf '%s\n' "$@" | sort -n | head -n 1; }

# row NAME FILE [key=value...]
row() {
  local name=$1 engine round taken
  shift
  local -A times=()
  for ((round = 0; round < rounds; ++round)); do
    for engine in "${engines[@]}"; do
      # Not within the string: there bash would not see it fail.
      taken=$(wall "$wsevm" run "$@" --threads=1 --engine="$engine" --quiet)
      times[$engine]+=" $taken"
    done
  done
  local native
  native=$("$wsevm" run "$@" --threads=1 --engine=jit --jit-threshold=0 --quiet --stats 2>/dev/null) ||
    fail run "$@" --engine=jit --jit-threshold=0
  native=$(sed -n 's/^engine  *jit, \([0-9.]* %\).*/\1/p' <<<"$native" | tail -n 1)
  [[ -n $native ]] || fail "no share of native instructions:" run "$@"
  local cells=$name
  for engine in "${engines[@]}"; do
    # shellcheck disable=SC2086 # words are wanted
    cells+=" | $(least ${times[$engine]})"
  done
  printf '| %s | %s |\n' "$cells" "$native"
}

printf '| milliseconds | interp | jit | auto | instructions that can be native |\n|---|---|---|---|---|\n'
for program in programs/*/; do
  name=$(basename "$program")
  row "$name" "$program$name.wsa"
done
row 'heat, 64 x 64 PEs, 100 steps' tests/bench/programs/heat.wsa W=64 H=64 steps=100
row 'life, 64 x 64 PEs, 24 generations' programs/life/life.wsa W=64 H=64
row 'fft of 512' programs/fft/fft.wsa N=512
row 'fft of 2048' programs/fft/fft.wsa N=2048
row 'spmv of 1000 rows, 10 times' programs/spmv/spmv.wsa N=1000 TIMES=10
row 'spmv of 1000 rows, 20000 times' programs/spmv/spmv.wsa N=1000 TIMES=20000
for pattern in star chain tree two-phase auto-gen; do
  row "reduce, $pattern, P = 512" scripts/collectives/reduce.lua P=512 B=256 "pattern=$pattern"
done
row 'broadcast, P = 512' scripts/collectives/broadcast.lua P=512 B=256
row 'allreduce, P = 512' scripts/collectives/allreduce.lua P=512 B=256
