#!/usr/bin/env bash
# collective_programs.sh WSEVM [all]: programs on collectives, scripts/examples: the three that a newcomer writes have at
# most 40 lines, a transform in three dimensions takes what one row and one column take, and with `all` 64 x 64 x 64 numbers
# are transformed, of f32 and of f16. An all-reduce beside work behind it, of memory or of streams and of any length, takes on long
# lines at most 5 % more than the slower one, elsewhere at most 5 % more than their bound, and at least the issue slots of both.
# (The scripts check their numbers.)
set -euo pipefail
wsevm=$1 all=${2:-}
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../scripts/examples
for name in power fft-2d argmax; do
  lines=$(wc -l <"$examples/$name.lua")
  ((lines <= 40)) || { echo "$name.lua has $lines lines"; exit 1; }
  "$wsevm" run "$examples/$name.lua" >/dev/null
done

cycles() { "$wsevm" run "$examples/fft-3d.lua" "$@" | sed 's/.*: \([0-9]*\) cycles.*/\1/'; }
check() { # ARGUMENTS: the cycles of lines alone are at most 10 more
  local whole lines
  whole=$(cycles "$@")
  lines=$(cycles "$@" lines=true)
  ((whole <= lines && lines <= whole + 10)) || { echo "$*: $whole cycles, by lines $lines"; exit 1; }
}
overlap() { # COLUMN ARGUMENTS: what both take is at most 1.05 of what the column's ratio is of
  "$wsevm" run "$examples/../collectives/overlap.lua" "${@:2}" elements=64 --machine=wse2 |
    awk -v ratio="$1" 'NR > 2 && ($ratio > 1.05 || $5 < $4) { print "beside work: " $0; wrong = 1 } END { exit wrong || NR != 8 }'
}
of_slower=6 of_bound=7
if [[ $all == all ]]; then
  check log2_n=6
  check log2_n=6 type=f16
  for work in stream fifo; do
    overlap $of_slower P=512 pattern=two-phase work=$work
    overlap $of_slower P=512 B=4 work=$work
    overlap $of_slower P=256 pattern=two-phase work=$work
  done
  overlap $of_bound P=256 B=64 work=fifo
  overlap $of_bound P=256 B=16 pattern=tree work=fifo
else
  check log2_n=4
  check log2_n=3 type=f16 --machine=model
  overlap $of_bound P=128 B=64 work=fifo
fi
