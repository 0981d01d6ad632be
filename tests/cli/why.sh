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
for transport in wafer stepper; do
  WSEVM_TRANSPORT=$transport expect 0 "a long wait on the $transport" "$wsevm" why "$chain" P=700 --at=20 --pe=0,0
  contains out 'until cycle 4198, when a word of red came, sent by PE(1, 0) at reduce-chain.wsa:20 in cycle 4192'
done
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
cat >twice.lua <<'END'
local wse = require "wse"
wse.run{file = "programs/reduce-chain/reduce-chain.wsa", machine = "model", values = {P = 4}}
wse.run{file = "programs/reduce-chain/reduce-chain.wsa", machine = "model"}
wse.run{file = "programs/message/message.wsa", machine = "model", inputs = {x = function() return 1 end}}
print "done"
END
expect 0 'a run of a script' "$wsevm" why twice.lua --at=24 --run=2
contains err 'done'
mv out script.txt
expect 0 'and of its program' "${why[@]}" --at=24
cmp script.txt out || wrong 'a script has another answer than its program'
expect 0 'its last run' "$wsevm" why twice.lua --at=8
contains out 'PE(3, 0) (main) is at message.wsa:16'
expect 2 'no such run' "$wsevm" why twice.lua --at=8 --run=4
contains err 'runs 3 programs, not 4'
expect 2 'arrays of a script' "$wsevm" why twice.lua --at=8 --in x=x.npy
contains err 'for programs, not for scripts'
expect 2 'a run of a program' "${why[@]}" --at=24 --run=1
contains err 'for scripts, not for programs'
printf 'local wse = require "wse"\nwse.start{file = "programs/hello/hello.wsa"}\n' >session.lua
expect 2 'a session' "$wsevm" why session.lua --at=3
contains err 'a launch of a session'
printf 'print(1)\n' >nothing.lua
expect 2 'a script that runs nothing' "$wsevm" why nothing.lua --at=3
contains err 'runs nothing'
cp "$circle" .
printf 'require("wse").run{file = "circle_through_a_microthread.wsa"}\n' >circle.lua
expect 0 'a script that ends badly' "$wsevm" why circle.lua --at=100
contains out 'they wait for each other'
expect 2 'a place that cannot be written' "${why[@]}" --at=3 -o /no/such/folder/x
finish
