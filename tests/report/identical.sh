#!/usr/bin/env bash
# identical.sh WSEVM: a profile has the same bytes on every engine, transport and number of threads.
set -uo pipefail
wsevm=$1
root=$PWD
# shellcheck source=tests/support/cases.sh
source "$root/tests/support/cases.sh"

for run in "programs/heat/heat.wsa W=8 H=8 steps=2" "programs/reduce-tree/reduce-tree.wsa" "programs/pipeline-fifo/pipeline-fifo.wsa" \
  "scripts/examples/row.lua P=8"; do
  read -ra words <<<"$run"
  words[0]=$root/${words[0]}
  rm -f wanted.npz
  for way in "--engine=interp --transport=stepper" "--engine=jit --jit-threshold=0 --transport=stepper" \
    "--engine=interp --transport=wafer" "--engine=jit --jit-threshold=0 --transport=wafer --threads=2 --oversubscribe" \
    "--engine=interp --transport=stepper --threads=3 --oversubscribe"; do
    read -ra options <<<"$way"
    expect 0 "$run $way" "$wsevm" run "${words[@]}" "${options[@]}" --quiet --profile=a.npz
    [[ -e wanted.npz ]] || mv a.npz wanted.npz
    cmp wanted.npz a.npz 2>/dev/null || [[ ! -e a.npz ]] || wrong "$run $way: another profile"
    rm -f a.npz
  done
done
finish
