#!/usr/bin/env bash
# collective_programs.sh WSEVM [all]: programs on collectives, scripts/examples: the three that a newcomer writes have at
# most 40 lines, a transform in three dimensions takes what one row and one column take, and with `all` 64 x 64 x 64 numbers
# are transformed, of f32 and of f16, and an all-reduce beside work of any length takes at most 5 % more than the slower one,
# and at least the issue slots of both.
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
if [[ $all == all ]]; then
  check log2_n=6
  check log2_n=6 type=f16
  for arguments in "P=512 pattern=two-phase" "P=512 B=4" "P=256 pattern=two-phase"; do
    # shellcheck disable=SC2086  # several arguments
    "$wsevm" run "$examples/../collectives/overlap.lua" $arguments elements=64 work=stream --machine=wse2 |
      awk 'NR > 2 && ($6 > 1.05 || $5 < $4) { print "beside work: " $0; wrong = 1 } END { exit wrong || NR != 8 }'
  done
else
  check log2_n=4
  check log2_n=3 type=f16 --machine=model
fi
