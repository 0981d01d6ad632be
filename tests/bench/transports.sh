#!/usr/bin/env bash
# What --transport=auto takes, and its processor time beside that of the stepper:  transports.sh WSEVM [TEXT]
# Only rows whose names contain the text. Every run is a process of its own, on one thread; the two take turns, so that both see the
# same host, and the shortest run of each counts. A row ends with "slower" where auto takes more than a tenth, and 5 ms, longer; then the
# exit code is 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
wsevm=$1 wanted=${2:-} rounds=5 slower=0

# spent COMMAND...: milliseconds of the processor.
spent() {
  local TIMEFORMAT='%3U %3S' user system
  read -r user system < <({ time "$@" >/dev/null 2>&1; } 2>&1) || true
  echo $((10#${user/./} + 10#${system/./}))
}

least() { printf '%s\n' "$@" | sort -n | head -n 1; }

# row NAME FILE [key=value...]
row() {
  local name=$1 round mark=''
  shift
  [[ $name == *"$wanted"* ]] || return 0
  local stepper=() auto=()
  for ((round = 0; round < rounds; ++round)); do
    stepper+=("$(spent "$wsevm" run "$@" --threads=1 --transport=stepper --quiet)")
    auto+=("$(spent "$wsevm" run "$@" --threads=1 --transport=auto --quiet)")
  done
  local taken one other
  taken=$("$wsevm" run "$@" --threads=1 --quiet --stats 2>/dev/null | sed -n 's/^transport  *\([a-z]*\).*/\1/p' | tail -n 1)
  one=$(least "${stepper[@]}") other=$(least "${auto[@]}")
  if ((10 * other > 11 * one && other > one + 5)); then
    mark=slower
    slower=$((slower + 1))
  fi
  printf '| %s | %s | %s | %s | %s |\n' "$name" "$taken" "$one" "$other" "$mark"
}

printf '| milliseconds | auto takes | stepper | auto | |\n|---|---|---|---|---|\n'
for program in programs/*/; do
  name=$(basename "$program")
  row "$name" "$program$name.wsa"
done
for side in 16 64 160; do
  row "heat, $side x $side PEs" tests/bench/programs/heat.wsa "W=$side" "H=$side"
  for words in 16 64 512; do
    row "flood, $side x $side PEs, $words words" programs/broadcast-2d/broadcast-2d.wsa "W=$side" "H=$side" "B=$words" --machine=model
    row "chains, $side x $side PEs, $words words" tests/bench/programs/chain-rows.wsa "P=$side" "H=$side" "B=$words" --machine=model
    row "25 points, $side x $side PEs, $words words" tests/bench/programs/stencil-25.wsa "W=$side" "H=$side" "B=$words" --machine=model
  done
done
for words in 16 64 256; do
  row "snake, 128 x 128 PEs, $words words" scripts/collectives/reduce.lua width=128 height=128 "B=$words" pattern=snake code=paper
done
row '25 points, 75 x 99 PEs in a corner' tests/bench/programs/stencil-25.wsa W=75 H=99 COLUMNS=755 ROWS=994 B=64 --machine=model
for pattern in star chain tree two-phase auto-gen; do
  row "reduce, $pattern, P = 512" scripts/collectives/reduce.lua P=512 B=256 "pattern=$pattern"
done
row 'broadcast, P = 512' scripts/collectives/broadcast.lua P=512 B=256
row 'allreduce, P = 512' scripts/collectives/allreduce.lua P=512 B=256
printf '\n%s rows slower\n' "$slower"
((slower == 0))
