#!/usr/bin/env bash
# events.sh WSEVM: wsevm events and traces for Perfetto, what they write and what they refuse. Prints each case that fails.
wsevm=$1
heat=$PWD/programs/heat/heat.wsa
message=$PWD/programs/message/message.wsa
chain=$PWD/programs/reduce-chain/reduce-chain.wsa
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

expect 0 'events to stdout' "$wsevm" events "$message" --cycles=0..6
contains out '"event":"start"'
contains out '"elements":16,"out":"red"'
for transport in wafer stepper; do
  WSEVM_TRANSPORT=$transport expect 0 "events of a rectangle, $transport" \
    "$wsevm" events "$heat" --rect=30,30,33,33 --cycles=400..420 -o $transport.jsonl
done
expect 0 'a traced run' "$wsevm" run "$heat" --trace=whole.jsonl --trace-rect=30,30,33,33 --trace-cycles=400..420
for transport in wafer stepper; do
  cmp <(sort $transport.jsonl) <(sort whole.jsonl) || wrong "events of the $transport are not those of a traced run"
done
expect 0 'for Perfetto' "$wsevm" events "$heat" --rect=30,30,33,33 --cycles=400..500 -o part.pftrace
grep -qa 'PE(30, 30)' part.pftrace || wrong 'a trace for Perfetto names no PE'
grep -qa 'waits for' part.pftrace || wrong 'a trace for Perfetto has no waits'
expect 0 'a run for Perfetto' "$wsevm" run "$message" --trace=run.pftrace
grep -qa 'task' run.pftrace && wrong 'a program without tasks has some'
expect 2 'more PEs than can be seen' "$wsevm" run "$heat" --trace=all.pftrace
contains err '--trace-rect'
contains err '--report'
[[ -e all.pftrace ]] && wrong 'a refused trace was written'
expect 0 'where they are named' "$wsevm" run "$heat" --trace=some.pftrace --trace-rect=0,0,3,3
expect 0 'of a script' "$wsevm" run scripts/examples/row.lua --trace=script.pftrace
grep -qa 'PE(0, 0)' script.pftrace || wrong 'a trace of a script names no PE'
expect 0 'a rectangle that only waits' "$wsevm" events "$chain" P=200 --cycles=100..110 --rect=0,0,1,0 -o still.jsonl
[[ -e still.jsonl && ! -s still.jsonl ]] || wrong 'something happens where PEs only wait'
expect 2 'no cycles' "$wsevm" events "$message"
contains err 'cycles'
expect 2 'empty cycles' "$wsevm" events "$message" --cycles=5..4
contains err 'empty'
expect 2 'cycles after the end' "$wsevm" events "$message" --cycles=5000..5001 -o late.jsonl
contains err 'the run was over'
[[ -e late.jsonl ]] && wrong 'a refused question left a file'
expect 2 'a rectangle off the grid' "$wsevm" events "$message" --cycles=0..1 --rect=0,0,9,0
contains err 'outside the grid'
expect 0 'a script' "$wsevm" events scripts/examples/row.lua --machine=model --cycles=0..9 --run=1 -o script.jsonl
expect 0 'and its program' "$wsevm" gen scripts/examples/row.lua --machine=model -o row.wsa
expect 0 'events of that' "$wsevm" events row.wsa P=2 --machine=model --cycles=0..9 -o program.jsonl
same() { sed -E 's/"(line|data)":[^,}]*//g' "$1"; }
cmp <(same script.jsonl) <(same program.jsonl) || wrong 'a script has other events than its program'
contains script.jsonl '"data":1056964608'
finish
