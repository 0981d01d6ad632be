#!/usr/bin/env bash
# ranks.sh WSEVM MODE: sweeps over the ranks of a launcher. Modes: `without`: what is said where Open MPI is not there,
# which needs none; `same2`: two ranks give what one process gives; `smoke`: and what is refused; `all`: and more ranks,
# scripts that differ, and what ends ranks in between. Prints each case that fails. Must never write outside its scratch
# folder.
wsevm=$1 mode=$2
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK PMI_SIZE SLURM_STEP_NUM_TASKS

# on RANKS COMMAND...: no output of mpirun's own about an exit code that is not 0.
on() { timeout 120 mpirun --oversubscribe -n "$1" "${@:2}"; }

cat >grid.lua <<'LUA'
local wse = require "wse"
local folder = wse.argument("out", "rows")
wse.write_text(folder .. "/size.txt", "3")  -- by one rank, before any continues
local size = tonumber(wse.read_text(folder .. "/size.txt"))
local rows = wse.sweep{
  over = {P = {2, 4, 8, 16}, B = {1, 2, size}}, order = {"P", "B"}, csv = folder .. "/grid.csv",
  run = function(p)
    local record = wse.run{file = "programs/message/message.wsa", values = p, machine = "model"}
    io.write("P=", p.P)
    print(" B=" .. p.B)
    wse.log("point " .. p.P .. " " .. p.B)
    wse.write_text(folder .. "/" .. p.P .. "-" .. p.B .. ".txt", "done")
    return {cycles = record.cycles, each = record.cycles / p.B, text = "a\n\"b\"", turns = wse.argument("turns", 1)}
  end}
local again = wse.sweep{points = {{k = rows[12].cycles}, {k = rows[1].cycles}}, run = function(p) return {twice = 2 * p.k} end}
local fine, message = pcall(wse.sweep, {over = {k = {1, 2, 3}}, run = function(p)
  if p.k == 2 then error("an odd point", 0) end
  return {k2 = p.k}
end})
assert(not fine and message:find("an odd point (point k=2)", 1, true), message)
local last = wse.run{file = "programs/message/message.wsa", values = {P = 4, B = #rows}, machine = "model"}
wse.user{total = again[1].twice + again[2].twice}
wse.write_csv(folder .. "/again.csv", again)
print(wse.table(rows, {"P", "B", "cycles"}))
print("end", last.cycles, again[1].twice)
LUA

without() {
  export WSEVM_MPI=/nowhere/wsevm-mpi.so
  expect 0 'one process' "$wsevm" run grid.lua
  expect 0 'one process of a launcher' env OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 "$wsevm" run grid.lua
  expect 0 'a batch script' env SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=4 "$wsevm" run grid.lua
  local launch
  for launch in '--ranks' '--ranks=2'; do
    expect 2 "$launch" "$wsevm" run grid.lua "$launch"
    contains err 'cannot load /nowhere/wsevm-mpi.so'
    contains err 'apt-get install openmpi-bin libopenmpi-dev'
  done
  for launch in 'OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=' 'SLURM_STEP_NUM_TASKS=2 PMIX_RANK=' 'PMI_SIZE=2 PMI_RANK='; do
    # shellcheck disable=SC2086
    expect 2 "$launch" env ${launch}0 "$wsevm" run grid.lua --json=r.json
    contains err 'apt-get install openmpi-bin libopenmpi-dev'
    contains err 'points=K/N'
    contains r.json '"status": "error"'
    # shellcheck disable=SC2086
    expect 2 "$launch, another rank" env ${launch}1 "$wsevm" run grid.lua
    empty err
    # shellcheck disable=SC2086
    expect 2 "$launch, a program" env ${launch}0 "$wsevm" run programs/hello/hello.wsa
    contains err 'apt-get install openmpi-bin libopenmpi-dev'
  done
  expect 2 'a program with --ranks' "$wsevm" run programs/hello/hello.wsa --ranks=2
  contains err 'cannot load /nowhere/wsevm-mpi.so'
  expect 2 'a relative module' env WSEVM_MPI=wsevm-mpi.so "$wsevm" run grid.lua --ranks
  contains err 'WSEVM_MPI must be an absolute path'
  printf 'no module' >m.so
  expect 2 'no x bit' env WSEVM_MPI="$PWD/m.so" "$wsevm" run grid.lua --ranks
  contains err 'it has no x bit'
  chmod +x m.so
  expect 2 'no module' env WSEVM_MPI="$PWD/m.so" "$wsevm" run grid.lua --ranks
  contains err 'm.so'
  for launch in -1 65537 two; do
    expect 2 "--ranks=$launch" "$wsevm" run grid.lua "--ranks=$launch"
    contains err 'a whole number from 0 to 65536 is wanted'
  done
}

without_time() { grep -v wall_seconds "$1"; }

# What one process makes of grid.lua: one.out, one.err, one.json and the folder one.
one_process() {
  expect 0 'one process' "$wsevm" run grid.lua turns=2 --json=one.json --threads=1
  mv out one.out; mv err one.err; mv rows one
}

# same RANKS [OPTION...]
same() {
  rm -rf rows r.json
  expect 0 "$1 ranks" on "$1" "$wsevm" run grid.lua turns=2 --json=r.json "${@:2}"
  cmp one.out out || wrong "$1 ranks: what is printed differs"
  cmp one.err err || wrong "$1 ranks: what is logged differs"
  diff -r one rows || wrong "$1 ranks: the files differ"
  cmp <(without_time one.json) <(without_time r.json) || wrong "$1 ranks: the records differ"
}

# says_once TEXT: of the ranks one.
says_once() { [[ $(grep -cF -- "$1" err) -eq 1 ]] || wrong "not once: $1"$'\n'"$(cat err)"; }

refusals() {
  echo 'error("no more")' >wrong.lua
  expect 2 'an error of the script' on 2 "$wsevm" run wrong.lua --json=r.json
  says_once 'wrong.lua:1: no more'
  contains r.json '"status": "error"'
  expect 1 'a run that ends badly' on 2 "$wsevm" run grid.lua --max-cycles=3
  says_once 'grid.lua'
  expect 2 'no such script' on 2 "$wsevm" run nowhere.lua
  says_once nowhere.lua
  rm -rf rows
  expect 2 'an unknown argument' on 2 "$wsevm" run grid.lua trns=3
  says_once "unknown argument 'trns'"
  expect 2 'another number' on 2 "$wsevm" run grid.lua --ranks=3
  says_once '--ranks=3: the launcher started 2'
  expect 2 'unsafe' on 2 "$wsevm" run grid.lua --unsafe
  says_once 'could write a file once for each'
  expect 2 'other arguments' on 1 "$wsevm" run grid.lua : -n 1 "$wsevm" run grid.lua turns=3
  says_once 'has another script, argument, machine or option than rank 0'
  cp grid.lua other.lua
  echo 'print(1)' >>other.lua
  expect 2 'another script' on 1 "$wsevm" run grid.lua : -n 1 "$wsevm" run other.lua
  says_once 'has another script, argument, machine or option than rank 0'
  expect 2 'one script is missing' on 1 "$wsevm" run grid.lua : -n 1 "$wsevm" run nowhere.lua
  says_once 'rank 1 ('
  says_once nowhere.lua
}

same2() {
  one_process
  same 2
}

smoke() {
  same2
  same 2 --ranks=2 --threads=2 --oversubscribe
  expect 0 'as scripts/README.md starts it' timeout 120 mpirun --bind-to none "$wsevm" run grid.lua
  expect 0 'one rank' on 1 "$wsevm" run grid.lua --ranks
  refusals
}

# Chance and time: ranks that do not do the same are found out.
differences() {
  # differ NAME TEXT: rank 1 does something else.
  differ() {
    { printf 'local wse = require "wse"\nlocal other = %s\n' 'wse.argument("who", 0) == 1'; cat; } >differ.lua
    cat >rank.sh <<'SH'
#!/bin/sh
exec "$1" run differ.lua
SH
    chmod +x rank.sh
    # The argument must be alike, so the rank comes from a file of its own folder.
    sed -i 's/wse.argument("who", 0) == 1/wse.read_text("who.txt") == "1"/' differ.lua
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
  differ 'another sweep' 'is at another sweep' <<'LUA'
if other then
  wse.sweep{over = {k = {1}}, run = function() return {a = 1} end}
else
  wse.sweep{over = {k = {1}}, run = function() return {a = 1} end}
end
LUA
  differ 'another file' 'writes b.txt where rank 0' <<'LUA'
wse.write_text(other and "b.txt" or "a.txt", "")
LUA
  differ 'a sweep beside a file' 'are at different places of the script' <<'LUA'
if other then wse.write_text("b.txt", "") end
wse.sweep{over = {k = {1}}, run = function() return {a = 1} end}
LUA
  differ 'no sweep' 'has ended its script, while rank 0' <<'LUA'
if not other then wse.sweep{over = {k = {1}}, run = function() return {a = 1} end} end
LUA
  differ 'a sweep more' 'did more than rank 0' <<'LUA'
if other then wse.sweep{over = {k = {1}}, run = function() return {a = 1} end} end
LUA
  differ 'an error' 'rank 1 (' <<'LUA'
if other then error("only here") end
wse.sweep{over = {k = {1}}, run = function() return {a = 1} end}
LUA
  contains err 'only here'
  differ 'an error at the end' 'only here' <<'LUA'
if other then error("only here") end
LUA
}

# The points from the ninth on do not end while there is a file `hold`.
cat >slow.lua <<'LUA'
local wse = require "wse"
local list = {}
for k = 1, 40 do list[k] = k end
local rows = wse.sweep{over = {P = list}, csv = "slow.csv", run = function(p)
  while p.P > 8 and pcall(wse.read_text, "hold") do
    for _ = 1, 100000 do end
  end
  return {double = 2 * p.P}
end}
print(#rows)
LUA

# start_slow RANKS: mpirun is $pid, its ranks are ${ranks[@]}, by number, and several rows are there.
start_slow() {
  touch hold
  on "$1" "$wsevm" run slow.lua --json=r.json --threads=1 --script-instructions=1000000000000 >out 2>err </dev/null &
  pid=$!
  until [[ -s slow.csv && $(wc -l <slow.csv) -eq 9 ]] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
  local process
  ranks=()
  for process in $(pgrep -f -- "run slow.lua"); do
    local rank
    rank=$({ tr '\0' '\n' <"/proc/$process/environ"; } 2>/dev/null | sed -n 's/^OMPI_COMM_WORLD_RANK=//p')
    [[ -n $rank && $(readlink "/proc/$process/cwd") = "$PWD" ]] || continue
    # The first process of a rank is the oldest.
    [[ -n ${ranks[$rank]:-} ]] || ranks[$rank]=$process
  done
}

nobody_left() {
  local try process left
  for try in {1..600}; do
    left=
    for process in $(pgrep -f -- "run slow.lua"); do
      [[ $(readlink "/proc/$process/cwd") != "$PWD" ]] || left+=" $process"
    done
    [[ -n $left ]] || return 0
    sleep 0.05
  done
  wrong "$1: processes are left:$left"
}

# ended CODE NAME: mpirun has ended, within 60 s, with this code; the file has whole lines and continues.
ended() {
  wait $pid
  local code=$?
  [[ " $1 " == *" $code "* ]] || wrong "$2: exit code $code, expected $1:"$'\n'"$(cat err)"
  nobody_left "$2"
  [[ -z $(tail -c 1 slow.csv) ]] || wrong "$2: a cut line"
}

continues() {
  rm -f hold
  expect 0 "$1: once more" on 2 "$wsevm" run slow.lua --threads=1
  cmp slow.one slow.csv || wrong "$1: the file differs"
  rm slow.csv
}

faults() {
  expect 0 'one process' "$wsevm" run slow.lua
  mv slow.csv slow.one
  start_slow 3
  kill -KILL "$(pgrep -P "${ranks[2]}")" # that works; the other guards it
  ended 3 'a killed rank'
  says_once 'rank 2 ('
  contains err 'was ended by signal 9 (Killed), as the system does when memory runs out'
  continues 'a killed rank'
  start_slow 3
  kill -TERM "${ranks[1]}"
  ended 130 'an interrupted rank'
  contains r.json '"status": "interrupted"'
  continues 'an interrupted rank'
  start_slow 2
  kill -TERM "${ranks[0]}"
  ended 130 'an interrupted first rank'
  contains r.json '"status": "interrupted"'
  continues 'an interrupted first rank'
  start_slow 3
  kill -KILL "${ranks[1]}"
  ended '137 3' 'a killed guard' # the launcher's own code, or that of a rank that noticed
  continues 'a killed guard'
  start_slow 2
  kill -KILL "$(pgrep -P "$(pgrep -P "${ranks[1]}")" | head -n 1)"
  ended 3 'a killed worker'
  says_once 'a worker process of rank 1 ('
  continues 'a killed worker'
  start_slow 2
  kill -STOP "$(pgrep -P "${ranks[1]}")"
  local begin=$SECONDS
  ended 3 'a stopped rank'
  [[ $((SECONDS - begin)) -le 60 ]] || wrong "a stopped rank took $((SECONDS - begin)) s"
  says_once 'rank 1 ('
  contains err 'has not been heard for 3'
  continues 'a stopped rank'
  # A full disk on the first rank, which writes the rows.
  cat >large.lua <<'LUA'
local list = {}
for k = 1, 60 do list[k] = k end
require "wse".sweep{over = {k = list}, csv = "large.csv", run = function() return {text = ("x"):rep(1 << 20)} end}
LUA
  expect 3 'a full disk' on 1 bash -c 'ulimit -f 40000; exec "$0" run large.lua' "$wsevm" : -n 1 "$wsevm" run large.lua
  says_once "cannot write 'large.csv'"
  [[ -z $(tail -c 1 large.csv) ]] || wrong 'a cut line on a full disk'
}

all() {
  smoke
  local ranks
  for ranks in 3 5; do same "$ranks"; done
  differences
  faults
}

"$mode"
finish
