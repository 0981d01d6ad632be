#!/usr/bin/env bash
# sweep.sh WSEVM: wse.sweep in processes: the same as without them, whatever ends it in between, and
# full disks. Prints each case that fails. Must never write outside its scratch folder.
wsevm=$1
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

# Nobody of this scratch folder runs any more, or will in a moment; a busy host takes long to end one.
nobody_left() {
  for _ in {1..1200}; do
    pgrep -f -- "$scratch" >pids || return 0
    sleep 0.05
  done
  wrong "$1: processes are left: $(cat pids)"
}

# 120 points; `turns` makes each longer. A point whose row was there at the start must not run.
cat >grid.lua <<'LUA'
local wse = require "wse"
local turns = wse.argument("turns", 0)
wse.arguments()  -- `place` tells processes apart
local sizes = {}
for k = 1, 30 do sizes[k] = k end
local there = {}
local text = select(2, pcall(wse.read_text, "grid.csv"))
for P, B in text:gmatch("\n(%d+),(%d+),[^\n]*%f[\n]") do there[P .. "," .. B] = true end
local rows = wse.sweep{
  over = {P = {2, 4, 8, 16}, B = sizes}, order = {"P", "B"}, csv = "grid.csv",
  run = function(p)
    if there[p.P .. "," .. p.B] then error("this point is in the file", 0) end
    for _ = 1, turns do end
    local record = wse.run{file = "programs/message/message.wsa", values = p, machine = "model"}
    io.write("P=", p.P)
    print(" B=" .. p.B)
    wse.log("point " .. p.P .. " " .. p.B)
    return {cycles = record.cycles, each = record.cycles / p.B, name = "4", fine = record.ok}
  end}
assert(#rows == 120 and rows[31].P == 4 and rows[31].B == 1 and rows[31].cycles == 1 + 3 + 5)
for _, row in ipairs(rows) do
  assert(math.type(row.each) == "float" and row.each == row.cycles / row.B and row.name == "4")
end
LUA

without_time() { grep -v wall_seconds "$1"; }
expect 0 'in this process' "$wsevm" run grid.lua --threads=1 --json=one.json
mv grid.csv one.csv; mv out one.out; mv err one.err
expect 0 'in processes' "$wsevm" run grid.lua --threads=3 --oversubscribe --json=three.json
cmp one.out out || wrong 'what is printed differs'
cmp one.err err || wrong 'what is logged differs'
cmp one.csv grid.csv || wrong 'the files differ'
cmp <(without_time one.json) <(without_time three.json) || wrong 'the records differ'
[[ $(wc -l <one.csv) -eq 121 && $(grep -c '"status": "halted"' one.json) -eq 121 ]] || wrong 'rows, runs'
expect 0 'all is there' "$wsevm" run grid.lua --threads=3 --oversubscribe
[[ ! -s out ]] || wrong 'points ran again'
cmp one.csv grid.csv || wrong 'the file has changed'

# A last line that was cut is no row; lines in any order, rows of other points, two that are equal;
# not two that differ.
{ head -n 40 one.csv; sed -n 100p one.csv; printf '2,9,1,true,4,1.5'; } >grid.csv
expect 0 'a cut line' "$wsevm" run grid.lua --threads=3 --oversubscribe
[[ $(wc -l <out) -eq 80 ]] || wrong "not 80 points: $(wc -l <out)"
cmp one.csv grid.csv || wrong 'the file after a cut line'
{ cat one.csv; printf '99,1,8,0.5,false,"x,y"\n99,1,7,0.5,false,"x,y"\n'; } >grid.csv
cp grid.csv differ.csv
expect 2 'two rows of a point' "$wsevm" run grid.lua
contains err 'grid.csv has two rows of P=99, B=1 that differ; remove one'
cmp differ.csv grid.csv || wrong 'a file that was refused has changed'
{ cat one.csv; printf '99,1,8,0.5,false,"x,y"\n99,1,8,0.5,false,"x,y"\n'; } >grid.csv
expect 0 'other points' "$wsevm" run grid.lua
cmp <(cat one.csv; printf '99,1,8,0.5,false,"x,y"\n') grid.csv || wrong 'rows of other points'
printf 'P,B,cycles\n2,1,12\n' >grid.csv
expect 2 'other columns' "$wsevm" run grid.lua
contains err 'grid.csv has the columns P, B, cycles'
cmp <(printf 'P,B,cycles\n2,1,12\n') grid.csv || wrong 'a file of other columns was changed'

# Killed or interrupted at any moment, and started again until it ends: no point twice. The first
# moments are late enough that the process knows what to do.
for signal in KILL TERM INT; do
  rm -f grid.csv
  stopped=0
  for attempt in {1..60}; do
    rm -f r.json
    timeout --foreground --preserve-status -s "$signal" "0.$(printf %02d $((RANDOM % 30 + 5)))" \
      "$wsevm" run grid.lua turns=1000000 place="$scratch" --threads=2 --oversubscribe --json=r.json >out 2>err </dev/null
    code=$?
    nobody_left "$signal"
    lacks err 'this point is in the file'
    if [[ $code -eq 0 ]]; then
      [[ $stopped -eq 0 ]] || break
      rm -f grid.csv # a quick host: it has ended before its first signal
      continue
    fi
    stopped=$((stopped + 1))
    # Too early to be told, or when all was done.
    [[ $signal = KILL || ! -e r.json ]] || cmp -s one.csv grid.csv && continue
    [[ $code -eq 130 ]] || wrong "$signal: exit code $code: $(cat err)"
    contains r.json '"status": "interrupted"'
    [[ ! -e grid.csv || -z $(tail -c 1 grid.csv) ]] || wrong "a cut line after $signal"
  done
  [[ $stopped -gt 0 ]] || wrong "it was never stopped by $signal"
  expect 0 "after $signal" "$wsevm" run grid.lua
  cmp one.csv grid.csv || wrong "the file after $signal"
done

# A worker that dies takes the sweep with it; its point is named. In background jobs of a script SIGINT
# is ignored, SIGTERM does the same.
cat >slow.lua <<'LUA'
local wse = require "wse"
wse.arguments()
wse.sweep{over = {P = {1, 2, 3}}, csv = "slow.csv", run = function(p)
  wse.write_text("begun" .. p.P, "")
  while p.P > 1 do end
  return {fine = true}
end}
LUA
# start_slow: the process is $pid, its first worker $worker; both workers are in points without an end.
start_slow() {
  rm -f begun*
  "$wsevm" run slow.lua place="$scratch" --threads=2 --oversubscribe --json=r.json >out 2>err </dev/null &
  pid=$!
  until [[ -s slow.csv && -e begun2 && -e begun3 ]]; do sleep 0.02; done
  worker=$(pgrep -P $pid | head -n 1)
}
start_slow
kill -KILL "$worker"
wait $pid
[[ $? -eq 3 ]] || wrong 'a dead worker: exit code'
contains err 'slow.lua:3: wse.sweep: a worker process was ended by signal 9'
contains err '(point P='
nobody_left 'a dead worker'
cmp <(printf 'P,fine\n1,true\n') slow.csv || wrong 'rows of others are lost'
start_slow
kill -TERM $pid $(pgrep -P $pid)
wait $pid
[[ $? -eq 130 ]] || wrong "an end of all: $(cat err)"
contains r.json '"status": "interrupted"'
nobody_left 'an end of all'
start_slow
kill -KILL $pid
wait $pid 2>/dev/null
nobody_left 'a dead parent'
cmp <(printf 'P,fine\n1,true\n') slow.csv || wrong 'rows are lost'

# Disks and places.
rm -f grid.csv
expect 3 'a full disk' bash -c 'ulimit -f 2; exec "$0" run grid.lua --threads=2 --oversubscribe 2>&1 >/dev/null | cat >&2; exit "${PIPESTATUS[0]}"' "$wsevm"
contains err "cannot write 'grid.csv'"
[[ -z $(tail -c 1 grid.csv) ]] || wrong 'a cut line on a full disk'
[[ $(wc -l <grid.csv) -gt 20 ]] || wrong "rows are lost: $(wc -l <grid.csv)"
expect 0 'the disk is empty again' "$wsevm" run grid.lua
cmp one.csv grid.csv || wrong 'the file after a full disk'
place() {
  printf 'require "wse".sweep{over = {P = {1}}, csv = "%s", run = function() error("it ran") end}\n' "$1" >place.lua
  expect 2 "the place $1" "$wsevm" run place.lua
  lacks err 'it ran'
  contains err "$1"
}
mkdir folder
ln -s one.csv link.csv
mkfifo pipe.csv
place folder
place link.csv
place pipe.csv
place grid.lua/x.csv
place /dev/full
cmp -s one.csv link.csv || wrong 'a link was followed'

# Limits are those of all processes together, or shared.
cat >work.lua <<'LUA'
local wse = require "wse"
local list = {}
for k = 1, 8 do list[k] = k end
wse.sweep{over = {k = list}, run = function() for _ = 1, 1000000 do end return {fine = true} end}
LUA
expect 0 'enough instructions' "$wsevm" run work.lua --threads=2 --oversubscribe --script-instructions=20000000
for threads in 1 2; do
  expect 2 'instructions' "$wsevm" run work.lua --threads=$threads --oversubscribe --script-instructions=4000000
  contains err 'the limit of 4000000 instructions is reached'
done
cat >large.lua <<'LUA'
require "wse".sweep{over = {P = {1, 2}}, run = function()
  return {cycles = require "wse".run{text = [[
.grid 100, 40
.program p
  .f32 x[4096]
  task main:
    mov32 r1, 1
.place p at (0..99, 0..39)
]]}.cycles}
end}
LUA
expect 0 'memory' "$wsevm" run large.lua --threads=1 --max-memory=100M
expect 3 'a share of the memory' "$wsevm" run large.lua --threads=2 --oversubscribe --max-memory=100M
contains err 'that is for one of 2 processes'

# A sweep in a sweep is one process more; gen counts the programs as they stand.
cat >nested.lua <<'LUA'
local wse = require "wse"
local rows = wse.sweep{over = {P = {2, 3, 4}}, run = function(p)
  local inner = wse.sweep{over = {B = {5, 6, 7}}, run = function(q)
    return {cycles = wse.run{file = "programs/message/message.wsa", values = {P = p.P, B = q.B}}.cycles}
  end}
  return {cycles = inner[1].cycles + inner[3].cycles, size = wse.argument("size", 3)}
end}
print(rows[1].cycles, rows[3].cycles, rows[2].size)
LUA
expect 0 nested "$wsevm" run nested.lua size=8 --machine=model --json=r.json
contains out $'24\t28\t8'
[[ $(grep -c '"status": "halted"' r.json) -eq 10 ]] || wrong 'runs of nested sweeps'
expect 0 'gen in a sweep' "$wsevm" gen nested.lua --program=8 -o - --machine=model
tail -n 1 out >last
contains last 'B=6 P=4'
cat >file.lua <<'LUA'
local wse = require "wse"
wse.sweep{over = {P = {2, 3, 4}}, csv = "file.csv", run = function(p)
  return {cycles = wse.run{file = "programs/message/message.wsa", values = p}.cycles}
end}
LUA
expect 0 'rows of a file' "$wsevm" run file.lua
expect 0 'gen without the file' "$wsevm" gen file.lua --program=2 -o -
tail -n 1 out >last
contains last 'run FILE P=3'

# The progress line: after two seconds, if it is wanted.
cat >long.lua <<'LUA'
local wse = require "wse"
wse.sweep{title = "four", over = {k = {1, 2, 3, 4}}, run = function()
  local begin = os.time()
  while os.time() < begin + 3 do end
  return {fine = true}
end}
LUA
expect 0 progress "$wsevm" run long.lua --threads=4 --oversubscribe --progress
contains err 'four 4/4 after'

finish
