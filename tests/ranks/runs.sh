#!/usr/bin/env bash
# runs.sh WSEVM MODE: programs that the ranks of a launcher run together. Modes: `smoke`: two ranks give what one process
# gives; `all`: also three and five, two threads each, all of programs/, memory, and what ends ranks in between. Prints
# each case that fails. Must never write outside its scratch folder.
wsevm=$1 mode=$2
here=$(cd "$(dirname "$0")" && pwd)
programs=$(cd "$here/../../programs" && pwd)
# shellcheck source=tests/support/cases.sh
source "$here/../support/cases.sh"
# shellcheck source=tests/ranks/launches.sh
source "$here/launches.sh"

on() { timeout 120 mpirun --oversubscribe --bind-to none -n "$1" "${@:2}"; }

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

# Stops in the middle of scalar code that has run ahead of the clock by what it read from memory.
stops() {
  local limit transport
  expect 0 'a step of a stencil' "$wsevm" gen "$here/../../scripts/stencil/acoustic25.lua" nx=40 ny=40 nz=60 steps=1 \
    source=10,10,30 --output step.wsa
  for limit in 1198 1200 1203; do
    for transport in stepper wafer; do same 1 2 1 step.wsa --transport=$transport --max-cycles=$limit; done
  done
}

# All of programs/ on both transports, however they end.
everything() {
  local path file transport code ranks
  for path in "$programs"/*/*.wsa; do
    file=programs/${path#"$programs"/}
    for transport in stepper wafer; do
      "$wsevm" run "$file" --transport="$transport" >out 2>err </dev/null
      code=$?
      for ranks in 1 2 3 5; do same "$code" "$ranks" 1 "$file" --transport="$transport"; done
    done
  done
}

# Each rank reads its rows of an array, and gives them to the first one, which writes them.
arrays() {
  local ranks
  for ranks in "$@"; do
    for option in --transport=stepper --transport=wafer; do
      expect 0 'arrays' "$wsevm" run programs/heat/heat.wsa --quiet $option --in x=programs/heat/field.npy --out y=one.npy \
        --out x=x.npy --picture y=one.png
      expect 0 "arrays of $ranks ranks" on "$ranks" "$wsevm" run programs/heat/heat.wsa --quiet $option \
        --in x=programs/heat/field.npy --out y=many.npy --out x=x2.npy --picture y=many.png
      cmp one.npy many.npy || wrong "$ranks ranks: the array differs"
      cmp x.npy x2.npy || wrong "$ranks ranks: the other array differs"
      cmp one.png many.png || wrong "$ranks ranks: the picture differs"
    done
  done
  expect 2 'stdin' on 2 "$wsevm" run programs/heat/heat.wsa --in x=-
  says_once '--in x=-: a launcher gives stdin to its first process alone'
  head -c 9000 "$programs/heat/field.npy" >short.npy
  expect 2 'a short array' on 2 "$wsevm" run programs/heat/heat.wsa --in x=short.npy --out y=none.npy
  says_once 'is truncated'
  [[ ! -e none.npy ]] || wrong 'a short array: an output'
}

# goes_on NAME FILE RANKS OPTION...: a run that RANKS continue from the file ends as one.json.
goes_on() {
  local name="$1, taken up by $3" file=$2 ranks=$3
  shift 3
  expect 0 "$name" on "$ranks" "$wsevm" run programs/heat/heat.wsa --quiet "$@" --restore="$file" --json=r.json --out y=z.npy \
    --oversubscribe
  cmp <(record_of one.json | grep -v transport) <(record_of r.json | grep -v transport) || wrong "$name: the record differs"
  cmp one.npy z.npy || wrong "$name: the array differs"
}

# checkpoints OPTIONS...: the file of any number of ranks is that of one process, at a cycle and at a limit, and any number
# continues from it.
checkpoints() {
  local ranks option at=300
  for option in "$@"; do
    # shellcheck disable=SC2086
    set -- $option
    expect 0 "a whole run: $option" "$wsevm" run programs/heat/heat.wsa --quiet "$@" --json=one.json --out y=one.npy
    if [[ -e p.npz ]]; then mv p.npz whole.npz; mv l.txt whole.txt; fi
    expect 0 "one process: $option" "$wsevm" run programs/heat/heat.wsa --quiet "$@" --checkpoint=c1 --at=$at
    expect 1 "one process, stopped: $option" "$wsevm" run programs/heat/heat.wsa --quiet "$@" --checkpoint=s1 --max-cycles=$at
    for ranks in ${counts:-2}; do
      rm -f c s
      expect 0 "$ranks ranks: $option" on "$ranks" "$wsevm" run programs/heat/heat.wsa --quiet "$@" --checkpoint=c --at=$at \
        --json=r.json --out y=z.npy
      cmp c1 c || wrong "$ranks ranks: the checkpoint differs: $option"
      cmp <(record_of one.json) <(record_of r.json) || wrong "$ranks ranks: the record after a checkpoint differs: $option"
      cmp one.npy z.npy || wrong "$ranks ranks: the array after a checkpoint differs: $option"
      expect 1 "$ranks ranks, stopped: $option" on "$ranks" "$wsevm" run programs/heat/heat.wsa --quiet "$@" --checkpoint=s \
        --max-cycles=$at
      cmp s1 s || wrong "$ranks ranks: the checkpoint of a stopped run differs: $option"
      goes_on "$option" c "$ranks" "$@"
      goes_on "$option" c 1 "$@"
      if [[ -e p.npz ]]; then
        cmp whole.npz p.npz || wrong "$ranks ranks: the profile after a checkpoint differs"
        cmp whole.txt l.txt || wrong "$ranks ranks: the listing after a checkpoint differs"
      fi
    done
  done
}

# A file that cannot be written or read ends all ranks, with one message; no half file is left.
broken_checkpoints() {
  expect 0 'a checkpoint' "$wsevm" run programs/heat/heat.wsa --quiet --checkpoint=c --at=300
  expect 3 'a full disk' on 2 "$wsevm" run programs/heat/heat.wsa --quiet --checkpoint=/dev/full --at=300 --json=r.json
  says_once /dev/full
  contains r.json /dev/full
  expect 2 'no folder' on 2 "$wsevm" run programs/heat/heat.wsa --quiet --checkpoint=nowhere/c --at=300
  says_once nowhere/c
  expect 2 'a cycle after the end' on 2 "$wsevm" run programs/heat/heat.wsa --quiet --checkpoint=late --at=99999999
  says_once '--checkpoint: the run ended after'
  [[ ! -e late ]] || wrong 'a cycle after the end: a file'
  cp c damaged
  printf x | dd of=damaged bs=1 seek=5000 conv=notrunc status=none
  expect 2 'a damaged file' on 3 "$wsevm" run programs/heat/heat.wsa --quiet --restore=damaged
  says_once 'damaged: the checkpoint is damaged'
  expect 2 'another program' on 3 "$wsevm" run programs/halo/halo.wsa --quiet --restore=c
  says_once 'the checkpoint does not fit: it is of another program'
  expect 0 'another checkpoint' "$wsevm" run programs/heat/heat.wsa --quiet --checkpoint=c200 --at=200
  expect 2 'another file' on 1 "$wsevm" run programs/heat/heat.wsa --restore=c : -n 1 "$wsevm" run programs/heat/heat.wsa \
    --restore=c200
  says_once 'has another checkpoint to go on from than rank 0'
  expect 2 'stdin' on 2 "$wsevm" run programs/heat/heat.wsa --restore=-
  says_once '--restore=-: several processes read a file, no pipe or device'
  [[ -z $(find . -maxdepth 1 -name '.*' -type f) ]] || wrong "a temporary file is left: $(find . -maxdepth 1 -name '.*' -type f)"
}

# The page of --report is that of one process.
reports() {
  local ranks transport
  for transport in stepper wafer; do
    expect 0 'a report' "$wsevm" run programs/heat/heat.wsa --quiet --transport=$transport --report=one.html --threads=1
    for ranks in "$@"; do
      expect 0 "a report of $ranks ranks" on "$ranks" "$wsevm" run programs/heat/heat.wsa --quiet --transport=$transport \
        --report=many.html --threads=1
      cmp one.html many.html || wrong "$ranks ranks, $transport: the page differs"
    done
  done
}

cat >much.wsa <<'WSA'
.const W = 256
.const H = 256
.grid W, H
.program much
  .i32 v[10240] exported = x + 7 * y + i
  task main:
    add32 v, v, 1
.place much at (0..W-1, 0..H-1)
WSA

# Bytes that the process with most of its children had at most.
peak_of() {
  python3 -c 'import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=2).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
sys.exit(code)' "$@"
}

# Each rank takes the memory of its PEs, and a twentieth more.
memory() {
  [[ -n $(command -v python3) ]] || return 0
  local one peak
  one=$(peak_of "$wsevm" run much.wsa --threads=1 2>err) || wrong "memory: $(cat err)"
  cat >peak.sh <<SH
$(declare -f peak_of)
peak_of "\$@" >>peaks
SH
  rm -f peaks
  expect 0 'memory of two ranks' on 2 bash peak.sh "$wsevm" run much.wsa --threads=1 --out v=v.npy
  [[ $(wc -l <peaks) -eq 2 ]] || wrong "memory: $(cat peaks)"
  while read -r peak; do
    [[ $((peak * 2 * 20)) -le $((one * 21)) ]] || wrong "memory: $peak bytes of a rank, $one of one process"
  done <peaks
}

refusals() {
  local option
  for option in --trace=t.jsonl --path=p.txt --interval; do
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
  cp "$wsevm" other
  printf x >>other
  expect 2 'another wsevm' on 1 "$wsevm" run stuck.wsa : -n 1 env WSEVM_MPI="${wsevm%/*}/wsevm-mpi.so" ./other run stuck.wsa
  says_once 'has another wsevm than rank 0'
  expect 3 'a full disk' on 2 "$wsevm" run programs/heat/heat.wsa --out y=/dev/full --json=r.json
  says_once /dev/full
  contains r.json /dev/full
  expect 0 'one rank' on 1 "$wsevm" run programs/hello/hello.wsa --ranks
}

# start_long RANKS: mpirun is $pid, its ranks are ${ranks[@]}, by number.
start_long() {
  rm -f r.json
  on "$1" "$wsevm" run long.wsa --json=r.json --transport=stepper >out 2>err </dev/null &
  pid=$!
  local process rank try
  for try in {1..200}; do
    ranks=()
    for process in $(pgrep -f -- 'run long.wsa'); do
      rank=$(rank_of "$process")
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

# A rank that is killed while the first one writes what all have, to a pipe of which a part is read before.
killed_in_a_checkpoint() {
  rm -f pipe r.json
  mkfifo pipe
  on 3 "$wsevm" run much.wsa W=32 H=48 --checkpoint=pipe --at=100 --json=r.json >out 2>err </dev/null &
  pid=$!
  {
    head -c 100000 >/dev/null
    local process
    for process in $(pgrep -f -- 'run much.wsa'); do
      [[ $(rank_of "$process") != 2 || -n $(pgrep -P "$process") ]] || kill -KILL "$process"
    done
    cat >/dev/null
  } <pipe
  ended 3 'a rank killed in a checkpoint'
  says_once 'rank 2 ('
  contains err 'was ended by signal 9 (Killed)'
  [[ ! -e r.json ]] || grep -q '"status": "error"' r.json || wrong 'a rank killed in a checkpoint: a record of a run'
}

faults() {
  killed_in_a_checkpoint
  start_long 3
  kill -KILL "$(pgrep -P "${ranks[2]}")"  # that works; the other guards it
  ended 3 'a killed rank'
  says_once 'rank 2 ('
  contains err 'was ended by signal 9 (Killed), as the system does when memory runs out'
  [[ ! -e r.json ]] || grep -q '"status": "error"' r.json || wrong 'a killed rank: a record of a run'
  start_long 3
  local process stopped=$SECONDS
  process=$(pgrep -P "${ranks[1]}")
  kill -STOP "$process"
  ended 3 'a stopped rank'
  contains err 'rank 1 ('
  contains err 'has not been heard for 14 s: its process or host is gone, or stopped'
  contains r.json '"status": "error"'
  [[ $((SECONDS - stopped)) -le 30 ]] || wrong "a stopped rank: the others ended after $((SECONDS - stopped)) s"
  kill -KILL "$process" 2>/dev/null
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
  arrays 2
  checkpoints '--transport=wafer --profile=p.npz --list=l.txt'
  refusals
}

all() {
  smoke
  stops
  arrays 3 5
  counts='1 2 3 5' checkpoints --transport=stepper --transport=wafer '--transport=wafer --profile=p.npz --list=l.txt'
  broken_checkpoints
  reports 2 3 5
  memory
  everything
  local ranks threads
  for ranks in 1 3 5; do
    for threads in 1 2; do programs "$ranks" "$threads"; done
  done
  faults
}

"$mode" "${@:3}"
finish
