#!/usr/bin/env bash
# runs.sh WSEVM MODE: programs that the ranks of a launcher run together. Modes: `smoke`: two ranks give what one process
# gives; `all`: also three and five, two threads each, and what ends ranks in between. Prints each case that fails. Must
# never write outside its scratch folder.
wsevm=$1 mode=$2
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK PMI_SIZE SLURM_STEP_NUM_TASKS

on() { timeout 120 mpirun --oversubscribe --bind-to none -n "$1" "${@:2}"; }

# The record without what a host decides.
record_of() { grep -vE '"(wall_seconds|threads|compile_seconds|native_.*)"' "$1"; }

# says_once TEXT: of the ranks one.
says_once() { [[ $(grep -cF -- "$1" err) -eq 1 ]] || wrong "not once: $1"$'\n'"$(cat err)"; }

cat >stuck.wsa <<'WSA'
.grid 3, 40
.colour c
.program waits
  task main:
    print "row {y} waits"
    mov32 r1, fabin(c)
.place waits at (0..2, 0..39)
.route c at (0..2, 0..38): north -> ramp
.route c at (0..2, 39): north -> ramp
WSA
cat >traps.wsa <<'WSA'
.grid 3, 40
.program fine
  task main:
    mark begun
    print "row {y}"
.program wrong
  .i32 v[4]
  task main:
    mark begun
    mov32 r1, 99999999
    mov32 mem(r1, length=2), r1
.place fine at (0..2, 0..29)
.place wrong at (0..2, 30..39)
WSA

# same CODE RANKS THREADS PROGRAM [OPTION...]: what is printed and written is what one process prints and writes.
same() {
  local code=$1 ranks=$2 threads=$3
  shift 3
  local name="$ranks ranks, $threads threads: $*"
  rm -rf one many
  mkdir one many
  expect "$code" "one process: $*" "$wsevm" run "$@" --threads=1 --json=one/r.json --profile=one/p.npz --list=one/l.txt
  mv out one.out; mv err one.err
  expect "$code" "$name" on "$ranks" "$wsevm" run "$@" --threads="$threads" --oversubscribe --json=many/r.json \
    --profile=many/p.npz --list=many/l.txt
  cmp one.out out || wrong "$name: what is printed differs"
  sed -i '/^-----/,$d' err  # what mpirun says of an exit code that is not 0
  cmp one.err err || wrong "$name: what is told differs: $(cat err)"
  cmp one/l.txt many/l.txt || wrong "$name: the listing differs"
  cmp <(record_of one/r.json) <(record_of many/r.json) || wrong "$name: the record differs"
  cmp one/p.npz many/p.npz || wrong "$name: the profile differs"
}

programs() {
  same 0 "$1" "$2" programs/heat/heat.wsa --transport=stepper --expect
  same 0 "$1" "$2" programs/halo/halo.wsa --transport=wafer --dump=1,1:u
  same 1 "$1" "$2" stuck.wsa
  same 1 "$1" "$2" stuck.wsa --transport=wafer
  same 1 "$1" "$2" traps.wsa
  same 1 "$1" "$2" traps.wsa --transport=wafer
  same 1 "$1" "$2" programs/heat/heat.wsa --max-cycles=300
}

# Arrays go in and out by the first rank.
arrays() {
  expect 0 'arrays' "$wsevm" run programs/heat/heat.wsa --quiet --out y=one.npy
  expect 0 'arrays of two ranks' on 2 "$wsevm" run programs/heat/heat.wsa --quiet --out y=two.npy
  cmp one.npy two.npy || wrong 'the array differs'
}

refusals() {
  local option
  for option in --trace=t.jsonl --path=p.txt --checkpoint=c --interval; do
    expect 2 "$option" on 2 "$wsevm" run stuck.wsa "$option" --json=r.json
    says_once "${option%%=*}: ranks that run one program cannot do that"
    contains r.json '"status": "error"'
  done
  expect 2 'another program' on 1 "$wsevm" run stuck.wsa : -n 1 "$wsevm" run traps.wsa
  says_once 'has another program, or other values of its constants than rank 0'
  expect 2 'another limit' on 1 "$wsevm" run stuck.wsa : -n 1 "$wsevm" run stuck.wsa --max-cycles=9
  says_once 'has another option than rank 0'
  expect 2 'a program is missing' on 1 "$wsevm" run stuck.wsa : -n 1 "$wsevm" run nowhere.wsa
  says_once 'rank 1 ('
  says_once nowhere.wsa
  expect 0 'one rank' on 1 "$wsevm" run programs/hello/hello.wsa --ranks
}

cat >long.wsa <<'WSA'
.grid 4, 64
.colour c
.program turns
  .i32 v[64]
  task main:
  again:
    add32 v, v, 1
    jump again
.place turns at (0..3, 0..63)
WSA

# start_long RANKS: mpirun is $pid, its ranks are ${ranks[@]}, by number.
start_long() {
  rm -f r.json
  on "$1" "$wsevm" run long.wsa --json=r.json --transport=stepper >out 2>err </dev/null &
  pid=$!
  local process rank try
  for try in {1..200}; do
    ranks=()
    for process in $(pgrep -f -- 'run long.wsa'); do
      rank=$({ tr '\0' '\n' <"/proc/$process/environ"; } 2>/dev/null | sed -n 's/^OMPI_COMM_WORLD_RANK=//p')
      [[ -n $rank && $(readlink "/proc/$process/cwd") = "$PWD" ]] || continue
      [[ -n ${ranks[$rank]:-} ]] || ranks[rank]=$process
    done
    [[ ${#ranks[@]} -lt $1 || $(pgrep -P "${ranks[$1 - 1]}" | wc -l) -eq 0 ]] || break
    sleep 0.05
  done
  sleep 1
}

# ended CODES NAME
ended() {
  wait $pid
  local code=$?
  [[ " $1 " == *" $code "* ]] || wrong "$2: exit code $code, expected $1:"$'\n'"$(cat err)"
}

faults() {
  start_long 3
  kill -KILL "$(pgrep -P "${ranks[2]}")"  # that works; the other guards it
  ended 3 'a killed rank'
  says_once 'rank 2 ('
  contains err 'was ended by signal 9 (Killed), as the system does when memory runs out'
  [[ ! -e r.json ]] || grep -q '"status": "error"' r.json || wrong 'a killed rank: a record of a run'
  local rank
  for rank in 1 0; do
    start_long 3
    kill -INT "${ranks[rank]}"
    ended 130 "an interrupted rank $rank"
    says_once 'interrupted in cycle'
    contains r.json '"status": "interrupted"'
  done
}

smoke() {
  programs 2 1
  arrays
  refusals
}

all() {
  smoke
  local ranks threads
  for ranks in 1 3 5; do
    for threads in 1 2; do programs "$ranks" "$threads"; done
  done
  faults
}

"$mode"
finish
