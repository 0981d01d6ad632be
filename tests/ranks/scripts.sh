#!/usr/bin/env bash
# scripts.sh WSEVM MODE: scripts of which the ranks of a launcher run the machines together. Modes: `smoke`: two ranks
# print and write what one process does; `all`: also three and five, both transports, ranks that differ, and one that is
# killed. Prints each case that fails. Must never write outside its scratch folder.
wsevm=$1 mode=$2
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support/cases.sh
source "$here/../support/cases.sh"
# shellcheck source=tests/ranks/launches.sh
source "$here/launches.sh"

on() { timeout 120 mpirun --oversubscribe --bind-to none -n "$1" "${@:2}"; }

# says_once TEXT: of the ranks one.
says_once() { [[ $(grep -cF -- "$1" err) -eq 1 ]] || wrong "not once: $1"$'\n'"$(cat err)"; }

# Everything that a script reads of a run.
cat >machine.lua <<'LUA'
local wse = require "wse"
local side = 64  -- as many PEs as ranks share
local function heat(steps, more)
  local spec = {file = "programs/heat/heat.wsa", values = {W = side, H = side, N = 4, steps = steps}}
  for name, value in pairs(more or {}) do spec[name] = value end
  return wse.run(spec)
end
local function start(x, y, i) return x * y % 7 + i end
local record = heat(3, {profile = true, inputs = {x = start}})
print(record.status, record.cycles, record.transport, record.width, record.ok)
local y = record:array("y")
print(#y, y[1], y[#y], record:symbol(side - 1, side - 1, "y")[1], record:symbol(2, 3, "u")[2])
local same, other = record:compare("y", y), record:compare("x", start)
print(same.compared, same.differing, other.compared, other.differing)
local profile = record:profile()
print(profile.busy[1], profile.busy[#profile.busy], profile.busy:at(3, side - 1))
record:save("y", "y.npy")
wse.report{file = "r.html", title = "heat", runs = {heat = record}}
print(pcall(function() return record:checkpoint("c") end))
print(pcall(function() return record:array("nothing") end))
print(pcall(function() return record:symbol(side, 1, "y") end))
local plain = heat(3)
print(plain:why(3, 3, 100))
local cut = heat(3, {max_cycles = 150, allow_failure = true})
print(cut.status, cut.cycles, cut.message)
cut:checkpoint("c")
local on = heat(3, {restore = "c"})
print(on.status, on.cycles, on:compare("y", plain:array("y")).differing)
print(pcall(heat, 3, {max_cycles = 200}))
local marked = wse.run{text = [[
.const W = 64
.grid W, W
.program p
  .i32 v = 0
  task main:
    mark begun
    add32 v, v, x + y
    print "value {v}"
    mark done
.place p at (0..W-1, 0..W-1)
.expect v at (5, 6) == 11
]], mark_times = true, expect = true}
print(marked.ok, marked.marks.done.count, table.concat(marked.marks.begun.times, " "), marked:symbol(9, 9, "v"))
local rows = wse.sweep{over = {k = {1, 2}}, run = function(p) return {cycles = wse.run{file = "programs/message/message.wsa", values = {P = 2 * p.k}}.cycles} end}
print(rows[1].cycles, rows[2].cycles)
wse.user{total = plain.cycles + record.cycles}
LUA

files=(p.npz l.txt y.npy r.html c)

# one_process [OPTION...]
one_process() {
  expect 0 "one process $*" "$wsevm" run machine.lua --json=one.json --profile=p.npz --list=l.txt "$@"
  mv out one.out
  mv err one.err
  mkdir -p alone
  mv "${files[@]}" alone
}

# same RANKS [OPTION...]
same() {
  local name="$* ranks" file
  rm -f "${files[@]}" r.json
  expect 0 "$name" on "$1" "$wsevm" run machine.lua --json=r.json --profile=p.npz --list=l.txt "${@:2}"
  cmp one.out out || wrong "$name: what is printed differs"
  cmp one.err err || wrong "$name: what is logged differs"
  for file in "${files[@]}"; do cmp "alone/$file" "$file" || wrong "$name: $file differs"; done
  cmp <(record_of one.json) <(record_of r.json) || wrong "$name: the records differ"
}

# differ NAME TEXT: rank 1 of two does something else, as the script on stdin says.
differ() {
  cat >differ.lua
  local rank
  for rank in 0 1; do
    rm -rf "of$rank"
    mkdir "of$rank"
    cp differ.lua "of$rank"
    printf %s "$rank" >"of$rank/who.txt"
  done
  expect 2 "$1" on 1 -wdir "$PWD/of0" "$wsevm" run differ.lua : -n 1 -wdir "$PWD/of1" "$wsevm" run differ.lua
  says_once "$2"
}

differences() {
  differ 'other values' 'has another program, or other values of its constants than rank 0' <<'LUA'
local wse = require "wse"
wse.run{file = "programs/heat/heat.wsa", values = {steps = wse.read_text("who.txt") == "1" and 3 or 2}}
LUA
  differ 'another array' 'has another read of a record than rank 0' <<'LUA'
local wse = require "wse"
wse.run{file = "programs/heat/heat.wsa", values = {steps = 2}}:array(wse.read_text("who.txt") == "1" and "x" or "y")
LUA
  differ 'one reads nothing' 'has ended its script' <<'LUA'
local wse = require "wse"
local record = wse.run{file = "programs/heat/heat.wsa", values = {steps = 2}}
if wse.read_text("who.txt") == "0" then record:array("y") end
LUA
  cat >late.lua <<'LUA'
local wse = require "wse"
local record = wse.run{file = "programs/heat/heat.wsa", values = {steps = 2}}
wse.sweep{over = {k = {1, 2}}, run = function() return {first = record:array("y")[1]} end}
LUA
  expect 0 'a record in a sweep of one process' "$wsevm" run late.lua
  expect 2 'a record in a sweep' on 2 "$wsevm" run late.lua
  says_once 'read it before the sweep'
}

# A rank dies in the middle of a run.
killed() {
  cat >slow.lua <<'LUA'
print("begins")
require "wse".run{file = "programs/heat/heat.wsa", values = {steps = 1000000}}
LUA
  on 3 "$wsevm" run slow.lua --json=r.json >out 2>err </dev/null &
  local pid=$! process code rank
  until grep -q begins out || ! kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
  sleep 1
  for process in $(pgrep -f -- "run slow.lua"); do
    [[ $(readlink "/proc/$process/cwd") = "$PWD" ]] || continue
    rank=$(rank_of "$process")
    if [[ $rank = 2 ]] && pgrep -P "$process" >/dev/null; then kill -KILL "$(pgrep -P "$process" | head -n 1)"; fi
  done
  wait "$pid"
  code=$?
  [[ $code -eq 3 ]] || wrong "a killed rank: exit code $code"$'\n'"$(cat err)"
  contains err 'was ended by signal 9 (Killed)'
}

smoke() {
  one_process
  same 2
}

all() {
  local ranks option
  smoke
  for ranks in 3 5; do same "$ranks" --threads=2 --oversubscribe; done
  for option in --transport=stepper --engine=interp; do
    one_process "$option"
    same 2 "$option"
  done
  differences
  killed
}

"$mode"
finish
