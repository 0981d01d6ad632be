#!/usr/bin/env bash
# interval.sh WSEVM: run --interval, what it tells and what it leaves alone; intervals of machines. Prints each case
# that fails.
wsevm=$1
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

cat >interval.lua <<'LUA'
return {base = "model", load = 2, simple = 1, divide = 9, intervals = {load = {1, 4}, simple = {1, 2}}}
LUA
cat >loads.wsa <<'WSA'
.grid 1, 1
.program p
  .i32 v exported = 3
  task main:
    mov32 r1, v
    print "{r1}"
    mov32 r2, v
    add32 r1, r1, r2
    mov32 v, r1
.place p at (0, 0)
WSA
run_loads=("$wsevm" run loads.wsa --machine=interval.lua --interval --quiet)
expect 0 interval "${run_loads[@]}"
contains out 'halted: 6 cycles (4..12)'
[[ $(cat err) == '@2 PE(0,0): 3' ]] || wrong "only the run itself prints: $(cat err)"
expect 0 'interval in the record' "${run_loads[@]}" --json
contains out '"cycles_low": 4,'
contains out '"cycles_high": 12,'
expect 0 'no interval' "$wsevm" run loads.wsa --machine=interval.lua --json --quiet
contains out '"cycles_low": null,'
expect 0 'interval for people' "${run_loads[@]}" --stats
contains out 'cycles        6 (4..12)'
for choice in --engine=interp --engine=jit --engine=lockstep --transport=wafer --transport=stepper --threads=2; do
  expect 0 "interval with $choice" "${run_loads[@]}" $choice
  contains out 'halted: 6 cycles (4..12)'
done
expect 0 'interval and files' "${run_loads[@]}" --trace=t.jsonl --out v=v.npy --list=lines.txt
expect 0 'the files of a run alone' "$wsevm" run loads.wsa --machine=interval.lua --quiet \
  --trace=alone.jsonl --out v=alone.npy --list=alone.txt
for pair in 't.jsonl alone.jsonl' 'v.npy alone.npy' 'lines.txt alone.txt'; do
  # shellcheck disable=SC2086
  cmp $pair || failures=$((failures + 1))
done
expect 0 'interval and an input' "${run_loads[@]}" --in v=v.npy --dump=0,0:v
contains out 'v at PE(0, 0) = 12'
expect 1 'an end beyond the limit' "${run_loads[@]}" --max-cycles=8 --json
contains out '"status": "halted"'
contains out '"cycles_low": 4,'
contains out '"cycles_high": null,'
contains out 'with every constant at the high end of its interval: cycle_limit after 8 cycles'
expect 1 'a run beyond the limit' "${run_loads[@]}" --max-cycles=5 --json
contains out '"status": "cycle_limit"'
contains out '"cycles_low": null,'
expect 0 'interval of a machine without intervals' "$wsevm" run loads.wsa --machine=model --interval
contains out 'halted: 0 cycles (0..0)'
echo 'return {base = "wse2", divide_cycles = 1, intervals = {simple = {1, 2}}}' >ends.lua
expect 2 'ends that do not go together' "$wsevm" run loads.wsa --machine=ends.lua
contains err 'holds the issue slot for 2 cycles and takes 1, with every constant at the high end of its interval'
echo 'wse = require "wse"; print(wse.run{file = "loads.wsa"}.cycles_high)' >loads.lua
expect 0 'interval of a script' "$wsevm" run loads.lua --machine=interval.lua --interval --json=r.json
contains out 12
contains r.json '"cycles_low": 4,'
expect 0 'intervals of a machine' "$wsevm" machine interval.lua
grep -q '^load_cycles  *2 (1\.\.4) ' out || wrong "$(cat out)"
expect 0 'intervals of a machine as JSON' "$wsevm" machine interval.lua --json
contains out '"low": 1,'
contains out '"high": 4,'
contains out '"low": null,'
cat >sweep.lua <<'LUA'
local wse = require "wse"
local rows = wse.sweep{over = {load = {2, 3}}, run = function(point)
  local record = wse.run{file = "loads.wsa", interval = true, machine = {load = point.load}}
  return {high = record.cycles_high}
end}
print(rows[1].high, rows[2].high)
LUA
for threads in 1 2; do
  expect 0 "intervals of a sweep with $threads" "$wsevm" run sweep.lua --machine=interval.lua --threads=$threads \
    --json=sweep$threads.json
  [[ $(cat out) == $'8\t10' ]] || wrong "$(cat out)"  # of loads that the sweep gives there is no interval
done
contains sweep2.json '"cycles_low": 8,'
contains sweep2.json '"cycles_high": 10,'
finish
