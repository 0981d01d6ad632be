#!/usr/bin/env bash
# add_instruction.sh COMPILER JOBS: follows "To add an instruction" of isa/README.md in a copy of the
# checkout, builds wsevm there, and runs the programs and the expectations that use the new instruction,
# and random programs on the machine and on the oracle.
# What is added is taken from the README's blocks: it is the README that is tested.
# It must never write into the checkout.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
compiler=$1
jobs=$2

work=$(mktemp -d "${TMPDIR:-/tmp}/wsevm-add-XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
  printf 'add_instruction: %s\n' "$*" >&2
  exit 1
}

# block FILE: what the README says must be added to FILE.
block() {
  local text
  text=$(awk -v file="$1" '/^```/ && $2 == file { on = 1; next } on && /^```/ { on = 0 } on' \
    "$root/isa/README.md")
  [[ -n $text ]] || fail "isa/README.md has no block for $1"
  printf '%s\n' "$text"
}

# Tables grow at their end; a header before its last line, which closes the namespace; the oracle's
# table of 32-bit integers after its first row.
append() { block "$1" >>"$work/$1"; }
insert() {
  block "$1" >"$work/added"
  local last
  last=$(wc -l <"$work/$1")
  sed -i "$((last - 1))r $work/added" "$work/$1"
}

insert_row() {
  block tests/oracle/values.cpp >"$work/added"
  sed -i "/{\"mov32\",/r $work/added" "$work/tests/oracle/values.cpp"
  grep -qF '"nand32"' "$work/tests/oracle/values.cpp" || fail 'the table of the oracle has no row mov32'
}

tar -C "$root" -c --exclude=./build --exclude=./out --exclude='./.*' . | tar -C "$work" -x
append isa/instruction/instructions.def
insert isa/semantics/values.h
append tests/unit/isa/values.def
insert_row
append tests/golden/instructions/nand.wsa

# Another folder, the same compiler results: ccache sees paths relative to the copy.
export CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1
cmake -S "$work" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 \
  -DCMAKE_CXX_COMPILER="$compiler" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cmake --build "$work/build" --target wsevm unit_isa golden_instructions differential -j "$jobs" >"$work/log" 2>&1 ||
  fail "does not build: $(grep -m 5 ' error: ' "$work/log" || tail -5 "$work/log")"

"$work/build/tests/unit/unit_isa" --gtest_brief=1 --gtest_filter='IsaCoverage.*:IsaScalar.*:IsaVector.*' \
  >"$work/log" 2>&1 || fail "$(cat "$work/log")"
"$work/build/tests/golden/golden_instructions" --gtest_brief=1 >"$work/log" 2>&1 || fail "$(cat "$work/log")"
"$work/build/tests/differential/differential" 1 300 >"$work/log" 2>&1 || fail "$(tail -40 "$work/log")"
grep -qF 'op VNand32: ' "$work/log" || fail 'no random program has nand32'
wsevm=$work/build/wsevm
program=$here/nand.wsa
"$wsevm" run "$program" --expect </dev/null || fail 'nand.wsa does not compute what it expects'
[[ $("$wsevm" isa | grep -c nand32) -eq 2 ]] || fail 'wsevm isa does not list both forms'
cd "$work"
"$wsevm" asm "$program" -o first.wsb
"$wsevm" dis first.wsb >again.wsa
[[ $(grep -c 'nand32 ' again.wsa) -eq 8 ]] || fail 'wsevm dis does not show all eight instructions'
"$wsevm" asm again.wsa -o second.wsb
cmp first.wsb second.wsb || fail 'the disassembly assembles to another image'
