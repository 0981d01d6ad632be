#!/usr/bin/env bash
# sums.sh WSEVM PYTHON: profiles of programs and scripts beside their records, by a PYTHON that has NumPy.
set -uo pipefail
wsevm=$1 python=$2
root=$PWD
here=$root/tests/report
# shellcheck source=tests/support/cases.sh
source "$here/../support/cases.sh"

# profile CODE FILE [ARGUMENT...]: its record has the sums of its profile.
profile() {
  local code=$1
  shift
  expect "$code" "$*" "$wsevm" run "$@" --quiet --profile=a.npz --json=a.json
  expect 0 "sums of $*" "$python" "$here/sums.py" a.npz a.json
}
for name in hello arithmetic message broadcast reduce-star reduce-chain reduce-tree reduce-two-phase broadcast-2d gemv \
  pipeline-fifo sentinel compass pop-modes filter-columns one-colour-allreduce sparse-input gather-loopback \
  localized-broadcast overlap heat life gemv-one-pe fir histogram; do
  profile 0 "$root/programs/$name/$name.wsa"
done
profile 1 "$root/programs/message/message.wsa" --max-cycles=7
profile 0 "$root/scripts/examples/row.lua" P=16
profile 0 "$root/scripts/collectives/reduce.lua" P=16 B=8
profile 0 "$root/scripts/collectives/allreduce.lua" P=16 B=8
profile 0 "$root/scripts/alltoall/broadcast.lua" d=3
profile 0 "$root/scripts/gemm/gemm.lua"
# A sum that differs is noticed.
sed -i 's/"instructions": \([0-9]*\)/"instructions": 1\1/' a.json
expect 1 'a changed record' "$python" "$here/sums.py" a.npz a.json
contains out 'instructions: '
finish
