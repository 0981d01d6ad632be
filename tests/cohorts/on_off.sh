#!/usr/bin/env bash
# Runs programs with cohorts and without, on both transports, one and two threads, and compares their records and what a checkpoint
# holds of all PEs, half-way:  on_off.sh WSEVM ROOT. WSEVM must be an absolute path.
# Profiles are no judge: a machine whose lines are counted has no cohorts.
set -euo pipefail
wsevm=$1
cd "$2"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# what TRANSPORT THREADS COHORTS FILE ARGUMENT...: the record without what the host decides, and what is printed.
what() {
  local transport=$1 threads=$2 cohorts=$3
  shift 3
  "$wsevm" run "$@" --transport="$transport" --threads="$threads" --oversubscribe --cohorts="$cohorts" --json="$scratch/record" \
    --quiet >"$scratch/out" 2>&1 || true
  grep -v -e wall_seconds -e compile_seconds -e '"engine"' "$scratch/record"
  cat "$scratch/out"
}

count=0
# compare ARGUMENT...: of `wsevm run`. A script has no checkpoint.
compare() {
  local transport threads cohorts cycles at
  for transport in stepper auto; do
    for threads in 1 2; do
      for cohorts in off on; do
        at=()
        if [[ $1 == *.wsa && $cohorts == off ]]; then
          what "$transport" 1 off "$@" >"$scratch/whole"
          cycles=$(sed -n 's/^ *"cycles": \([0-9]*\),*$/\1/p' "$scratch/whole" | head -1)
        fi
        if [[ $1 == *.wsa ]]; then
          at=(--checkpoint="$scratch/$cohorts.wsc" --at=$((cycles / 2 + 1)))
        fi
        what "$transport" "$threads" "$cohorts" "$@" "${at[@]}" >"$scratch/$cohorts"
        sed -i "s/$cohorts\.wsc/checkpoint/" "$scratch/$cohorts"
      done
      cmp -s "$scratch/off" "$scratch/on" || {
        echo "on_off.sh: $* differs on $transport, $threads threads:"
        diff "$scratch/off" "$scratch/on" | head -20
        exit 1
      }
      if [[ ${#at[@]} -gt 0 ]] && ! cmp "$scratch/off.wsc" "$scratch/on.wsc"; then
        echo "on_off.sh: $* ${at[1]} is another state on $transport, $threads threads"
        exit 1
      fi
      rm -f "$scratch"/*.wsc
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
