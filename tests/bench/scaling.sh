#!/usr/bin/env bash
# How the transports scale:  scaling.sh WSEVM FOLDER [SIDE...]
# A step of the 25-point stencil on square meshes, of which all PEs work, or a corner of 1/16; on both transports, one thread and two.
# Writes FOLDER/scaling.csv and draws it as FOLDER/scaling.svg. A rate counts the cycles of all PEs of the mesh, working or not;
# loading is not in it. The shortest of three runs counts, of meshes of more than 128 x 128 PEs the only one. More than 128 x 128
# PEs that work are for the wafer transport alone: the stepper takes minutes there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
wsevm=$1 folder=$2
shift 2
sides=("$@")
[[ ${#sides[@]} -gt 0 ]] || sides=(32 64 128 256 512)
record=$(mktemp)
trap 'rm -f "$record"' EXIT

field() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),\$/\1/p" "$record"; }

# seconds_and_cycles SIDE WORKING TRANSPORT THREADS: of the shortest run.
seconds_and_cycles() {
  local rounds=3 round
  (($1 <= 128)) || rounds=1
  for ((round = 0; round < rounds; ++round)); do
    "$wsevm" run tests/bench/programs/stencil-25.wsa "W=$2" "H=$2" "COLUMNS=$1" "ROWS=$1" B=64 --machine=model \
      "--transport=$3" "--threads=$4" --quiet "--json=$record" >/dev/null
    printf '%s %s\n' "$(field wall_seconds)" "$(field cycles)"
  done | sort -g | head -n 1
}

mkdir -p "$folder"
{
  printf 'side,working,transport,threads,cycles,seconds,rate\n'
  for side in "${sides[@]}"; do
    for share in 1 4; do
      for transport in wafer stepper; do
        [[ $transport == wafer || $((side / share)) -le 128 ]] || continue
        for threads in 1 2; do
          read -r seconds cycles < <(seconds_and_cycles "$side" $((side / share)) "$transport" "$threads")
          awk -v side="$side" -v share="$share" -v transport="$transport" -v threads="$threads" -v seconds="$seconds" -v cycles="$cycles" \
            'BEGIN { printf "%d,%g,%s,%d,%d,%.4f,%.4g\n", side, 1 / (share * share), transport, threads, cycles, seconds, side * side * cycles / seconds }'
        done
      done
    done
  done
} >"$folder/scaling.csv.new"
mv "$folder/scaling.csv.new" "$folder/scaling.csv"
"$wsevm" run tests/bench/scaling.lua "csv=$folder/scaling.csv" "svg=$folder/scaling.svg"
