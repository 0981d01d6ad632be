#!/usr/bin/env bash
# Runs programs with cohorts and without, on both transports, one and two threads, and compares their records and the arrays they
# export:  on_off.sh WSEVM ROOT. WSEVM must be an absolute path.
set -euo pipefail
wsevm=$1
cd "$2"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# what TRANSPORT THREADS COHORTS FILE ARGUMENT...: the record without what the host decides, and all arrays.
what() {
  local transport=$1 threads=$2 cohorts=$3
  shift 3
  "$wsevm" run "$@" --transport="$transport" --threads="$threads" --oversubscribe --cohorts="$cohorts" --json="$scratch/record" \
    --profile="$scratch/profile.npz" --quiet >"$scratch/out" 2>&1 || true
  grep -v -e wall_seconds -e compile_seconds -e '"engine"' "$scratch/record"
  cat "$scratch/out"
  cksum <"$scratch/profile.npz"
}

count=0
compare() {
  local transport threads
  for transport in stepper auto; do
    for threads in 1 2; do
      what "$transport" "$threads" off "$@" >"$scratch/off"
      what "$transport" "$threads" on "$@" >"$scratch/on"
      cmp -s "$scratch/off" "$scratch/on" || {
        echo "on_off.sh: $* differs on $transport, $threads threads:"
        diff "$scratch/off" "$scratch/on" | head -20
        exit 1
      }
      count=$((count + 1))
    done
  done
}

for program in programs/*/; do
  name=$(basename "$program")
  if [[ -f $program/$name.wsa ]]; then compare "$program/$name.wsa"; fi
done
compare tests/bench/programs/heat.wsa W=40 H=40 steps=3
compare tests/bench/programs/stencil-25.wsa W=40 H=24 B=8
compare tests/bench/programs/chain-rows.wsa P=40 H=40 B=64 --machine=model
compare scripts/stencil/star.lua steps=2 radius=1 dims=2 coefficients=0,0.25 nx=33 ny=24
echo "$count runs are alike"
