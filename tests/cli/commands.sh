#!/usr/bin/env bash
# commands.sh WSEVM: exit codes, streams and files of every command. Prints each case that fails.
wsevm=$1
programs=$PWD/programs
failing=$PWD/tests/golden/failing
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

expect 0 version "$wsevm" --version
contains out wse2
for command in run path asm dis check lsp isa machine man completion help; do
  expect 0 "help of $command" "$wsevm" "$command" --help
  contains out Examples:
  mv out asked
  expect 0 "help $command" "$wsevm" help "$command"
  cmp out asked || failures=$((failures + 1))
done
expect 0 help "$wsevm" help
contains out 'Exit status:'
mv out asked
expect 0 --help "$wsevm" --help
cmp out asked || failures=$((failures + 1))
expect 2 'no command' "$wsevm"
empty out
cmp err asked || failures=$((failures + 1))
expect 2 'unknown command' "$wsevm" fly
contains err "unknown command 'fly'"
lacks err 'did you mean'
expect 2 'mistyped command' "$wsevm" chek
contains err "unknown command 'chek'; did you mean 'check'?"
expect 2 'unknown option' "$wsevm" run --fly x.wsa
contains err "unknown option '--fly'"
contains err 'wsevm help run'
expect 2 'mistyped option' "$wsevm" run x.wsa --mashine=wse2
contains err "unknown option '--mashine'; did you mean '--machine'?"
expect 2 'mistyped option, and no file' "$wsevm" run --max-cycels=3
contains err "did you mean '--max-cycles'?"
expect 2 'one argument too many' "$wsevm" dis a.wsb b.wsb
contains err "unexpected argument 'b.wsb'"
expect 2 'no file' "$wsevm" run
contains err 'FILE is required'
expect 2 'unknown shell' "$wsevm" completion tcsh
expect 0 'manual page' "$wsevm" man
contains out '.SH SYNOPSIS'
expect 2 'missing file' "$wsevm" run nothing.wsa
contains err nothing.wsa
expect 2 'unknown machine' "$wsevm" run "$programs/hello/hello.wsa" --machine=wse9
expect 2 'unknown parameter' "$wsevm" run "$programs/hello/hello.wsa" Q=3
contains err Q
expect 2 'half a parameter' "$wsevm" run "$programs/hello/hello.wsa" P=

expect 0 run "$wsevm" run "$programs/hello/hello.wsa" --expect
contains out 'halted:'
contains err 'hello from PE(0, 0)'
expect 0 'run from stdin' bash -c "'$wsevm' run - <'$programs/hello/hello.wsa'"
expect 0 json "$wsevm" run "$programs/hello/hello.wsa" --json --quiet
contains out '"status": "halted"'
contains out '"pe_cycles"'
[[ $(head -c1 out) == '{' ]] || { echo 'stdout holds more than JSON'; failures=$((failures + 1)); }
contains out '"trap": null'
contains out '"positions": []'
expect 1 'json of a trap' "$wsevm" run "$failing/off_grid.wsa" --json --trace=trap.jsonl
contains out '"kind": "off_grid"'
contains out 'off_grid.wsa:7"'
contains out '"positions_total": 0'
tail -n 1 trap.jsonl >last.jsonl
contains last.jsonl '"event":"trap","text":"off_grid"'
expect 1 'a trap elsewhere' "$wsevm" run "$failing/off_grid.wsa" --trace=none.jsonl --trace-cycles=0..2
grep -q '"trap"' none.jsonl && { echo 'the trace of a trap ignores its cycles'; failures=$((failures + 1)); }
expect 0 'json file' "$wsevm" run "$programs/hello/hello.wsa" --json=record.json
contains record.json '"cycles": 14'
expect 2 'json of an error' "$wsevm" run nothing.wsa --json
contains out '"status": "error"'
contains out nothing.wsa
expect 2 'json of wrong usage' "$wsevm" run nothing.wsa --json=usage.json --trace-cycles=7
contains usage.json '"status": "error"'
expect 2 'json of an unknown option' "$wsevm" run nothing.wsa --json --max-cycle=7
contains out "did you mean '--max-cycles'?"

expect 0 asm "$wsevm" asm "$programs/heat/heat.wsa" W=4 H=4 -o heat.wsb
expect 0 dis "$wsevm" dis heat.wsb
cp out heat2.wsa
expect 0 'asm again' "$wsevm" asm heat2.wsa -o heat2.wsb
cmp heat.wsb heat2.wsb || failures=$((failures + 1))
expect 0 'run image' "$wsevm" run heat.wsb steps=3
expect 2 'constant of an image' "$wsevm" run heat.wsb W=3
expect 2 'no number' "$wsevm" run heat.wsb steps=many
head -c 200 heat.wsb >short.wsb
expect 2 'truncated image' "$wsevm" run short.wsb
expect 2 'no image' "$wsevm" dis "$programs/hello/hello.wsa"
expect 0 listing "$wsevm" asm "$programs/reduce-chain/reduce-chain.wsa" --list
contains out 'setd'
mkdir -p folder/parts lib pipe.wsa
printf '.include "parts/code.wsa"\n.place p at (0, 0)\n' >folder/main.wsa
printf '.include "size.wsa"\n.program p\n  task main:\n    print "included"\n' >folder/parts/code.wsa
printf '.grid 1, 1\n' >lib/size.wsa
expect 2 'include without its folder' "$wsevm" run folder/main.wsa
contains err "parts/code.wsa:1:10: error[E101]: there is no file 'size.wsa'"
contains err "main.wsa:1:10: note: included here: 'parts/code.wsa'"
for command in run asm check; do
  expect 0 "$command with includes" "$wsevm" "$command" folder/main.wsa -I none -I lib
done
expect 0 'include from stdin' bash -c "'$wsevm' run - -I lib <folder/parts/code.wsa"
printf '.include "pipe.wsa"\n' >main.wsa
expect 2 'include of a folder' "$wsevm" check main.wsa
contains err "error[E102]: cannot read 'pipe.wsa': it is no regular file"
rmdir pipe.wsa
mkfifo pipe.wsa
expect 2 'include of a pipe' "$wsevm" check main.wsa
rm pipe.wsa
truncate -s 20M pipe.wsa
expect 2 'include of a huge file' "$wsevm" check main.wsa
contains err 'it has 20971520 bytes'

cat >switch.wsa <<'END'
.grid 2, 1
.colour red
.program p
  task main:
    mov32 fabout(red, advance), 1
.place p at (0, 0)
.route red at (0, 0): [ramp -> east] [east -> ramp]
.route red at (1, 0): west -> ramp
END
expect 2 'switch of another machine' "$wsevm" check switch.wsa --machine=wse2
contains err 'error[E171]'
expect 0 'asm for model' "$wsevm" asm switch.wsa --machine=model -o switch.wsb
expect 0 'run on model' "$wsevm" run switch.wsb --machine=model
expect 2 'image for another machine' "$wsevm" run switch.wsb --machine=wse2
contains err 'the route of colour red at switch.wsa:7: position 1 changes both'
expect 0 symbols "$wsevm" asm "$programs/heat/heat.wsa" --symbols
contains out 'address'
cat > recolour.wsa <<'END'
.grid 2, 1
.colour red, blue
.program sender
  .dsr to
  task main:
    setd to, fabout(red)
    setdcolour to, blue
    mov32 to, 1
.place sender at (0, 0)
.route blue at (0, 0): ramp -> east
.route blue at (1, 0): west -> ramp
END
expect 2 'forms of another machine' "$wsevm" check recolour.wsa --machine=wse3
contains err 'recolour.wsa:7:5: error[E217]'
expect 0 'image for another machine' "$wsevm" asm recolour.wsa -o recolour.wsb
expect 2 'forms of another machine in an image' "$wsevm" check recolour.wsb --machine=wse3
contains err 'program sender at recolour.wsa:7 gives a descriptor another colour'
expect 0 check "$wsevm" check "$programs/reduce-chain/reduce-chain.wsa"

expect 0 'arrays' "$wsevm" run "$programs/message/message.wsa" P=3 B=4 --out x=x.npy --out y=y.npy
expect 0 'array in' "$wsevm" run "$programs/message/message.wsa" P=3 B=4 --in x=x.npy --dump 2,0:y
contains out 'y at PE(2, 0) = 1 2 3 4'
expect 0 'file last' "$wsevm" run --in x=x.npy --show y "$programs/message/message.wsa" P=3 B=4
expect 2 'wrong shape' "$wsevm" run "$programs/message/message.wsa" P=3 B=5 --in x=x.npy
contains err 'shape'
expect 2 'no such array' "$wsevm" run "$programs/message/message.wsa" --out z=z.npy
contains err "'z'"
[[ ! -e z.npy ]] || failures=$((failures + 1))
expect 2 'dump off the grid' "$wsevm" run "$programs/message/message.wsa" --dump 9,9:y
expect 2 'malformed dump' "$wsevm" run "$programs/message/message.wsa" --dump 9:y
expect 2 'unwritable' "$wsevm" run "$programs/message/message.wsa" --out y=/proc/none/y.npy

expect 0 trace "$wsevm" run "$programs/message/message.wsa" --trace=t.jsonl --trace-cycles=0..30 --trace-rect=0,0,1,0
contains t.jsonl '"event":"move"'
contains t.jsonl '"event":"issue"'
grep -q '"pe":\[2,0\]' t.jsonl && { echo 'the trace ignores its rectangle'; failures=$((failures + 1)); }

expect 0 'cycles of lines' "$wsevm" run "$programs/message/message.wsa" --list=interp.txt
contains interp.txt 'message.wsa'
expect 0 'cycles of lines on the wafer' "$wsevm" run "$programs/message/message.wsa" --transport=wafer --list=wafer.txt
cmp interp.txt wafer.txt || failures=$((failures + 1))
expect 0 'cycles of lines by threads' "$wsevm" run "$programs/broadcast-2d/broadcast-2d.wsa" --threads=1 --list=one.txt
expect 0 'cycles of lines by threads' "$wsevm" run "$programs/broadcast-2d/broadcast-2d.wsa" --threads=2 --oversubscribe --list=two.txt
cmp one.txt two.txt || failures=$((failures + 1))
more=$(($(nproc) + 1))
expect 0 'more threads than processors' "$wsevm" run "$programs/heat/heat.wsa" W=2 H=3 --threads=$more
contains err "note: --threads=$more takes $(nproc), one for each processor"
expect 0 'as many threads as asked for' "$wsevm" run "$programs/heat/heat.wsa" W=2 H=3 --threads=3 --oversubscribe --transport=stepper --json=r.json
empty err
contains r.json '"threads": 3'
expect 0 'cycles of lines of a script' "$wsevm" run "$(dirname "$programs")/scripts/examples/row.lua" P=8 --quiet --list=x.txt
contains x.txt 'PEs'
expect 1 deadlock "$wsevm" run "$failing/two_circles.wsa" --dot=waits.dot
contains err 'they wait for each other: PE(0, 1) -> PE(1, 1) -> PE(0, 1)'
contains waits.dot 'n4 -> n5 [label="blue, 0 of 2", style=bold];'
expect 1 'dot to stdout' "$wsevm" run "$failing/two_circles.wsa" --dot=-
contains out 'digraph waits {'
expect 0 'dot of a good end' "$wsevm" run "$programs/hello/hello.wsa" --dot=waits.dot
contains waits.dot 'nothing waits for ever'
lacks waits.dot '->'
expect 3 'dot on a full disk' "$wsevm" run "$failing/two_circles.wsa" --dot=/dev/full
contains err /dev/full
expect 2 'dot nowhere' "$wsevm" run "$failing/two_circles.wsa" --dot=none/waits.dot
cat >tsc.wsa <<'WSA'
.grid 2, 1
.program p
  .u32 first
  task main:
    tsc r1
    mov32 first, r1
.place p at (0..1, 0)
WSA
expect 0 'no skew' "$wsevm" run tsc.wsa --dump=1,0:first
contains out 'first at PE(1, 0) = 0'
expect 0 'tsc skew' "$wsevm" run tsc.wsa --tsc-skew=0 --dump=0,0:first --dump=1,0:first
contains out "first at PE(0, 0) = $((0x397b1dcdaf >> 16 & 0xffffff | 0xa8 << 24))"
expect 2 'skew without a number' "$wsevm" run tsc.wsa --tsc-skew=much
expect 0 'jitter' "$wsevm" run "$programs/hello/hello.wsa" --jitter=7 --json
contains out '"cycles": 16'
expect 0 'jitter of few cycles' "$wsevm" run "$programs/hello/hello.wsa" --jitter=7:3 --stats
contains out 'jitter        up to 3 cycles, seed 7'
expect 2 'jitter without a number' "$wsevm" run "$programs/hello/hello.wsa" --jitter=7:
contains err 'SEED or SEED:N'
expect 2 'jitter of too many cycles' "$wsevm" run "$programs/hello/hello.wsa" --jitter=7:1000001
contains err '--jitter: N is'
expect 2 'unknown engine' "$wsevm" run "$programs/hello/hello.wsa" --engine=magic
contains err 'interp'
expect 0 'the default engine' "$wsevm" run "$programs/hello/hello.wsa" --json
contains out '"engine": "auto"'
expect 0 'the default engine where memory is limited' "$wsevm" run "$programs/hello/hello.wsa" --max-memory=1G --json
contains out '"engine": "interp"'
expect 0 'the default engine without a compiler' env WSEVM_JIT=/nowhere.so "$wsevm" run "$programs/fft/fft.wsa" --jit-threshold=1 --expect --stats
lacks out 'engine '
empty err
if [[ $("$wsevm" --version) != *'LLVM: none'* ]]; then
  expect 0 'jit' "$wsevm" run "$programs/hello/hello.wsa" --engine=jit --jit-threshold=0 --json
  contains out '"engine": "jit"'
  expect 0 'auto' "$wsevm" run "$programs/hello/hello.wsa" --engine=auto --json
  contains out '"engine": "auto"'
  expect 2 'folder for objects of code' "$wsevm" run "$programs/hello/hello.wsa" --engine=jit --jit-cache=nowhere
  contains err 'nowhere: it is no folder'
  expect 2 'folder for texts of code' "$wsevm" run "$programs/hello/hello.wsa" --engine=jit --dump-ir=nowhere
  contains err '--dump-ir: nowhere is no folder'
  mkdir code
  expect 0 'code as text' "$wsevm" run "$programs/hello/hello.wsa" --engine=jit --jit-threshold=0 --dump-asm=code
  [[ -n $(ls code) ]] || { echo 'nothing in the folder of --dump-asm'; failures=$((failures + 1)); }
  rm -r code
  expect 0 'a script in lockstep' "$wsevm" run scripts/examples/row.lua P=4 --engine=lockstep --jit-threshold=0
fi
expect 1 'cycle limit' "$wsevm" run "$programs/message/message.wsa" --max-cycles=5
contains out 'cycle_limit: 5 cycles'

cat >left.wsa <<'WSA'
.grid 1, 1
.colour red
.program p
  .i32 v[2]
  task main:
    mov32 fabout(red), v
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
WSA
expect 0 leftovers "$wsevm" run left.wsa
contains err 'nobody took'
expect 1 'strict leftovers' "$wsevm" run left.wsa --strict --json
contains out '"status": "halted"'
cat >endless.wsa <<'WSA'
.grid 1, 1
.program p
  task main:
  next:
    add32 r1, r1, 1
    jmp next
.place p at (0, 0)
WSA
expect 130 interrupt timeout --preserve-status -s INT 1 "$wsevm" run endless.wsa --json=i.json
contains i.json '"status": "interrupted"'

expect 0 isa "$wsevm" isa
contains out fadds
expect 0 'isa json' "$wsevm" isa --json
contains out '"mnemonic": "fmacs"'
expect 0 'isa traps' "$wsevm" isa --traps
contains out 'memory that an instruction in flight uses was touched'
expect 0 machine "$wsevm" machine
contains out ramp_latency_cycles
expect 0 'machine json' "$wsevm" machine wse2 --json
contains out '"mark": "meas"'

# A machine of one's own: everywhere the same file.
echo 'return {base = "model", hop_latency = 1 + 2}' >slow_hops.lua
first=$programs/first/first.wsa
expect 0 'own machine' "$wsevm" run "$first" --machine=slow_hops.lua --json --quiet
contains out '"cycles": 21'  # 5 hops, of 2 cycles more each, after the 11 of the model
contains out '"machine": "slow_hops"'
expect 0 'check on it' "$wsevm" check "$first" --machine=slow_hops.lua
expect 0 'asm for it' "$wsevm" asm "$first" --machine=./slow_hops.lua --list
expect 0 'print it' "$wsevm" machine slow_hops.lua
grep -q '^hop_latency_cycles  *3 ' out || { cat out; failures=$((failures + 1)); }
expect 0 'as json' "$wsevm" machine slow_hops.lua --json
contains out '"slow_hops"'
echo 'require "wse".run{file = "programs/first/first.wsa"}' >first.lua
expect 0 'a script on it' "$wsevm" run first.lua --machine=slow_hops.lua --json
contains out '"machine": "slow_hops"'
contains out '"cycles": 21'
echo 'require "wse".run{text = ".grid 1, 1"}' >grid.lua
expect 0 'gen for it' "$wsevm" gen grid.lua -o - --machine=slow_hops.lua
contains out 'wsevm run FILE --machine=slow_hops.lua'
echo 'return {hop_latncy = 2}' >mistyped.lua
for command in "run $first" "check $first" "asm $first" 'run first.lua' 'gen first.lua -o x.wsa'; do
  # shellcheck disable=SC2086
  expect 2 "$command on a mistyped one" "$wsevm" $command --machine=mistyped.lua
  contains err "mistyped.lua: unknown parameter 'hop_latncy'; did you mean 'hop_latency'?"
done
expect 2 'print a mistyped one' "$wsevm" machine mistyped.lua
contains err "did you mean 'hop_latency'?"
expect 2 'json of a mistyped one' "$wsevm" run "$first" --machine=mistyped.lua --json
contains out '"machine": "mistyped"'
expect 2 'a missing one' "$wsevm" run "$first" --machine=none.lua
contains err none.lua
expect 2 'a text that is no machine' "$wsevm" run "$first" --machine="$first"

cat >wafer.wsa <<'WSA'
.grid 4096, 4096
.program p
  task main:
.place p at (0, 0)
WSA
if (ulimit -v 500000 && "$wsevm" --version) >/dev/null 2>&1; then  # sanitizers take more than that
  expect 3 'no memory' bash -c 'ulimit -v 500000 && exec "$0" check wafer.wsa' "$wsevm"
  contains err 'wafer.wsa: out of memory for a machine of 4096 x 4096 PEs'
  # Data count for the host when they are written: it is their mapping that fails.
  cat >mapped.wsa <<'WSA'
.grid 128, 128
.program p
  .i32 v[10000]
  task main:
.place p at (0..127, 0..127)
WSA
  printf 'require("wse").run{file = "mapped.wsa"}\n' >mapped.lua
  for file in mapped.wsa mapped.lua; do
    expect 3 "no memory for the data of $file" bash -c 'ulimit -v 500000 && exec "$0" run "$1" --json' "$wsevm" "$file"
    contains err 'out of memory: 655'
    contains out '"status": "error"'
  done
fi

# Byte-order marks: that of UTF-8 is skipped everywhere, others are named.
mark=$'\xef\xbb\xbf'
printf '%s.include "marked_lib.wsa"\n.program p\n  task main:\n.place p at (0, 0)\n' "$mark" >marked.wsa
printf '%s.grid 1, 1\n' "$mark" >marked_lib.wsa
printf '%sreturn {base = "model"}\n' "$mark" >marked_machine.lua
printf '%s#!/usr/bin/env wsevm\nprint("read")\n' "$mark" >marked.lua
expect 0 'marks of UTF-8' "$wsevm" run marked.wsa --machine=marked_machine.lua
expect 0 'a mark on stdin' bash -c '"$0" check - <marked_lib.wsa' "$wsevm"
expect 0 'a mark of a script' "$wsevm" run marked.lua
contains out read
printf '\xff\xfe.\0' >wide.wsa
cp wide.wsa wide.lua
printf '.include "wide.wsa"\n' >includes.wsa
for words in 'run wide.wsa' 'check includes.wsa' 'run wide.lua' 'run marked.wsa --machine=wide.lua'; do
  # shellcheck disable=SC2086
  expect 2 "UTF-16: $words" "$wsevm" $words
  contains err 'it is UTF-16, as its byte-order mark FF FE says; save it as UTF-8'
done

finish
