#!/usr/bin/env bash
# code.sh COMPILER JOBS: follows the recipes of READMEs that add C++ in a copy of the checkout: an instruction, a
# parameter of the machine, a type, a counter, an option and a directive. All go into one copy, which is built
# once; then each is used, and random programs run on the machine and on the oracle.
# It must never write into the checkout.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
compiler=$1
jobs=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/wsevm-recipe-XXXXXX")
trap 'rm -rf "$work"' EXIT
source "$here/follow.sh"

copy_checkout
follow isa/README.md '## To add an instruction' 5
follow isa/README.md '## To add a parameter of the machine' 3
follow isa/README.md '## To add a type of data' 6
follow vm/README.md '## To add a counter' 3
follow vm/cli/README.md '## To add an option' 3
follow asm/README.md '## To add a directive' 6

# Another folder, the same compiler results: ccache sees paths relative to the copy.
export CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1
cmake -S "$work" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12 -DWSE_WARNINGS_AS_ERRORS=ON \
  -DCMAKE_CXX_COMPILER="$compiler" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cmake --build "$work/build" --target wsevm unit_isa unit_asm golden_instructions differential -j "$jobs" >"$work/log" 2>&1 ||
  fail "does not build: $(grep -m 5 ' error: ' "$work/log" || tail -5 "$work/log")"
wsevm=$work/build/wsevm
cd "$work"

# passes COMMAND...: with its output in $work/log.
passes() { timeout 1800 "$@" >"$work/log" 2>&1 </dev/null || fail "$*: $(tail -40 "$work/log")"; }
# says TEXT FILE
says() { grep -qF -- "$1" "$2" || fail "'$1' is not in: $(head -20 "$2")"; }
run() { timeout 1800 "$wsevm" run "$@" </dev/null >"$work/out" 2>"$work/err"; }

passes build/tests/unit/unit_isa --gtest_brief=1 --gtest_filter='IsaCoverage.*:IsaScalar.*:IsaVector.*:IsaProfile.*'
passes build/tests/unit/unit_asm --gtest_brief=1 --gtest_filter='Grammar.*:Words.*'
passes build/tests/golden/golden_instructions --gtest_brief=1
passes build/tests/differential/differential 1 100 machines # machines of any numbers have the parameter
passes build/tests/differential/differential 1 100 transports
passes build/tests/differential/differential 1 300
says 'op VNand32: ' "$work/log"

# The instruction.
run "$here/nand.wsa" --expect || fail 'nand.wsa does not compute what it expects'
[[ $("$wsevm" isa | grep -c nand32) -eq 2 ]] || fail 'wsevm isa does not list both forms'
"$wsevm" asm "$here/nand.wsa" -o first.wsb
"$wsevm" dis first.wsb >again.wsa
[[ $(grep -c 'nand32 ' again.wsa) -eq 8 ]] || fail 'wsevm dis does not show all eight instructions'
"$wsevm" asm again.wsa -o second.wsb
cmp first.wsb second.wsb || fail 'the disassembly assembles to another image'

# The parameter: five data tasks, one after the other.
cycles() { run "$here/five.wsa" --machine="$1" --expect || fail "five.wsa: $(cat "$work/err")"; awk '{ print $2 }' "$work/out"; }
for cycles in 100 200; do
  printf 'return {base = "model", data_task_cycles = %s}\n' "$cycles" >"$cycles.lua"
done
[[ $(cycles 200.lua) -eq $(($(cycles 100.lua) + 500)) ]] || fail 'data_task_cycles is not what five data tasks take'
"$wsevm" machine cm200 | grep -q '^data_task_cycles  *0 .*as `model`' || fail 'a CM-200 has not the number of model'

# The counter: the five; main is not picked.
run "$here/five.wsa" --json=record.json
says '"tasks": 5' record.json
printf 'local wse = require "wse"\nprint(wse.run{file = "five.wsa"}.tasks)\n' >tasks.lua
cp "$here/five.wsa" .
run tasks.lua
[[ $(cat "$work/out") == 5 ]] || fail "a script gets '$(cat "$work/out")' tasks"

# The type: in text, memory, arrays and scripts.
run "$here/mask.wsa" --expect --out m=m.npy || fail "mask.wsa: $(cat "$work/err")"
says '0x0000ff00' "$work/err"
says "'<u4'" m.npy
run "$here/mask.wsa" --expect --in m=m.npy || fail 'mask.wsa does not take its array'
run "$here/mask.lua" || fail "a script cannot have an x32: $(cat "$work/err")"

# The option: of programs, in the help, not of scripts.
run "$here/five.wsa" --hops || fail '--hops is not known'
says 'hops 5' "$work/out"
"$wsevm" help run | grep -q -- '--hops ' || fail 'the help has no --hops'
! run tasks.lua --hops || fail 'a script takes --hops'
says '--hops is for programs, not for scripts' "$work/err"

# The directive.
printf '.require 1 < 2\n' | cat - "$here/five.wsa" >holds.wsa
run holds.wsa || fail "a condition that holds is refused: $(cat "$work/err")"
printf '.require 2 < 1\n' | cat - "$here/five.wsa" >fails.wsa
! run fails.wsa || fail 'a condition that does not hold is not told'
says 'fails.wsa:1:10: error[E098]: this does not hold' "$work/err"
