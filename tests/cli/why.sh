#!/usr/bin/env bash
# why.sh WSEVM: wsevm why, what it takes and what it refuses. Prints each case that fails.
wsevm=$1
chain=$PWD/programs/reduce-chain/reduce-chain.wsa
circle=$PWD/tests/golden/failing/circle_through_a_microthread.wsa
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

why=("$wsevm" why "$chain" --machine=model)
expect 0 why "${why[@]}" --at=24
contains out 'before cycle 24: 6 of 8 PEs'
contains out 'until cycle 42, when a word of red came, sent by PE(1, 0) at reduce-chain.wsa:20 in cycle 36'
expect 0 'one PE' "${why[@]}" --at=20 --pe=2,0
contains out 'until cycle 30'
expect 0 'one class, to a file' "${why[@]}" --at=24 --class=1 -o answer.txt
contains answer.txt 'class 1: PE(1, 0)'
expect 0 'after the end' "${why[@]}" --at=500
contains out 'halted after 58 cycles'
expect 0 'in a deadlock' "$wsevm" why "$circle" --at=100
contains out 'they wait for each other'
for transport in wafer stepper; do
  WSEVM_TRANSPORT=$transport expect 0 "on the $transport" "$wsevm" why "$chain" P=90 --at=200
  mv out $transport.txt
done
cmp wafer.txt stepper.txt || wrong 'transports give different answers'
expect 2 'no cycle' "${why[@]}"
contains err 'at'
expect 2 'cycle 0' "${why[@]}" --at=0
expect 2 'no such class' "${why[@]}" --at=24 --class=77
contains err 'there is no class 77'
expect 2 'a PE off the grid' "${why[@]}" --at=24 --pe=8,0
contains err '8 x 1 PEs'
expect 2 'half a PE' "${why[@]}" --at=24 --pe=8
contains err 'X,Y'
expect 2 'an empty rectangle' "${why[@]}" --at=24 --rect=3,0,2,0
contains err 'empty'
expect 2 'a PE and a rectangle' "${why[@]}" --at=24 --rect=1,0,2,0 --pe=1,0
contains err 'not both'
expect 2 'a script' "$wsevm" why scripts/examples/row.lua --at=3
contains err 'wsevm gen'
expect 2 'a place that cannot be written' "${why[@]}" --at=3 -o /no/such/folder/x
finish
