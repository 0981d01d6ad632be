#!/usr/bin/env bash
# shares.sh WSEVM: sweeps in shares, points=K/N, and wsevm merge: the same bytes as one run, and what is
# refused. Prints each case that fails. Must never write outside its scratch folder.
wsevm=$1
readme=$(readlink -f "$(dirname "$0")/../../scripts/README.md")
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

cat >grid.lua <<'LUA'
local wse = require "wse"
local out, turns = wse.argument("out", "rows"), wse.argument("turns", 1)
wse.no_more_arguments()
local rows = wse.sweep{
  over = {P = {2, 4, 8, 16}, B = {1, 2, 3}}, order = {"P", "B"}, csv = out .. "/grid.csv",
  run = function(p)
    local record = wse.run{file = "programs/message/message.wsa", values = p, machine = "model"}
    print("ran", p.P, p.B)
    return {cycles = record.cycles, text = "a\n\"b\",c", turns = turns}
  end}
assert(#rows == 12)
print("all", rows[12].cycles)
LUA

expect 0 'one run' "$wsevm" run grid.lua out=one
for parts in 1 3 5 12 20; do
  rm -rf rows
  files=()
  ran=0
  for ((part = 1; part <= parts; part++)); do
    expect 0 "share $part of $parts" "$wsevm" run grid.lua points=$part/$parts
    lacks out all # the script ends there
    contains err '12 points'
    ran=$((ran + $(grep -c ran out)))
    [[ $part -gt 12 ]] || files+=("rows/grid.$part-of-$parts.csv")
  done
  [[ $ran -eq 12 ]] || wrong "$ran points ran in $parts shares"
  [[ ! -e rows/grid.csv ]] || wrong 'a share wrote the file of all'
  expect 0 "merge of $parts" "$wsevm" merge $(printf '%s\n' "${files[@]}" | tac) -o rows/grid.csv
  cmp one/grid.csv rows/grid.csv || wrong "the rows of $parts shares differ"
done
expect 0 'what is merged is all' "$wsevm" run grid.lua
lacks out ran
contains out $'all\t'
expect 0 'a share of what is merged' "$wsevm" run grid.lua points=1/3
lacks out ran
contains out $'all\t'

# A share that was stopped continues; a cut line is no row.
rm -rf rows
expect 0 'a share' "$wsevm" run grid.lua points=2/3
cp rows/grid.2-of-3.csv whole.csv
head -c 150 whole.csv >rows/grid.2-of-3.csv
expect 2 'merge of a cut line' "$wsevm" merge rows/grid.2-of-3.csv -o m.csv
contains err 'grid.2-of-3.csv: its last line is cut off'
expect 0 'the share again' "$wsevm" run grid.lua points=2/3
[[ $(grep -c ran out) -eq 3 || $(grep -c ran out) -eq 2 ]] || wrong "points that ran again: $(cat out)"
cmp whole.csv rows/grid.2-of-3.csv || wrong 'the share differs'

# Refusals: nothing is written.
expect 0 'another share' "$wsevm" run grid.lua points=1/3
refused() {
  local text=$1
  shift
  expect 2 "$text" "$@"
  contains err "$text"
  [[ ! -e m.csv ]] || wrong "$text: a file was written"
}
one=rows/grid.1-of-3.csv
refused '4 of 12 points are in no file: 3, 6, 9, 12; run their shares' "$wsevm" merge $one whole.csv -o m.csv
refused 'point 2 is in whole.csv (row 2) and in rows/grid.2-of-3.csv (row 2)' \
  "$wsevm" merge $one whole.csv rows/grid.2-of-3.csv -o m.csv
refused 'one/grid.csv is no part of a sweep' "$wsevm" merge one/grid.csv -o m.csv
sed 's/cycles,text/cycles,name/' whole.csv >other.csv
refused "other.csv has the columns P,B,cycles,name,turns, $one has P,B,cycles,text,turns" \
  "$wsevm" merge $one other.csv -o m.csv
sed 's/^2,12,/x,12,/' whole.csv >other.csv
refused 'other.csv: row 2: it does not begin with the number of a point' "$wsevm" merge other.csv -o m.csv
sed 's/^2,12,/13,12,/' whole.csv >other.csv
refused 'other.csv: row 2: it does not begin with the number of a point' "$wsevm" merge other.csv -o m.csv
head -n 1 whole.csv >other.csv
refused 'the files have no rows' "$wsevm" merge other.csv -o m.csv
refused 'this command reads it; give the output a file of its own' "$wsevm" merge $one -o $one
expect 2 'no file' "$wsevm" merge -o m.csv

# Other inputs: an argument, an option, the machine, the script, a module.
differ() {
  rm -rf other
  expect 0 "$1: runs" "$wsevm" run "${@:2}" points=2/3 out=other
  refused "it is of other inputs than $one" "$wsevm" merge $one other/grid.2-of-3.csv -o m.csv
}
differ 'an argument' grid.lua turns=2
differ 'an option' grid.lua --max-cycles=100000
differ 'the machine' grid.lua --machine=wse3
mkdir changed
sed 's/"a/"b/' grid.lua >changed/grid.lua
differ 'the script' changed/grid.lua
# Points that come from a file: the same script, other points.
cat >read.lua <<'LUA'
local wse = require "wse"
local list = {}
for k = 1, tonumber(wse.read_text("size.txt")) do list[k] = k end
wse.sweep{over = {P = list}, csv = "read.csv", run = function() return {a = 1} end}
LUA
printf 4 >size.txt
expect 0 'four points' "$wsevm" run read.lua points=1/2
printf 5 >size.txt
expect 2 'five points' "$wsevm" run read.lua points=1/2
contains err 'read.1-of-2.csv has rows of other inputs'
expect 0 'five points' "$wsevm" run read.lua points=2/2
refused 'it is of other inputs than read.1-of-2.csv' "$wsevm" merge read.1-of-2.csv read.2-of-2.csv -o m.csv

expect 2 'rows of another script stay no part' "$wsevm" run grid.lua points=1/3 turns=3
contains err 'rows/grid.1-of-3.csv has rows of other inputs'

# What is no share.
for share in 0/3 4/3 3 /3 3/ 1/1000001 1/3/5 -1/3 ' 1/3' 1.0/3; do
  expect 2 "points=$share" "$wsevm" run grid.lua "points=$share"
  lacks out ran
done
expect 2 'no form' "$wsevm" run grid.lua points=1of3
echo 'require "wse".sweep{over = {P = {1, 2}}, run = function() return {a = 1} end}' >nofile.lua
expect 2 'no file' "$wsevm" run nofile.lua points=1/2
contains err 'nofile.lua:1: wse.sweep: points=1/2: csv = "out/NAME.csv" is wanted, for the rows'
echo 'require "wse".sweep{over = {sweep_point = {1}}, csv = "x.csv", run = function() return {a = 1} end}' >name.lua
expect 2 'a name that is taken' "$wsevm" run name.lua points=1/2
contains err 'points=K/N writes a column sweep_point, so no point has that name'
echo 'print(1)' >none.lua
expect 2 'no sweep' "$wsevm" run none.lua points=1/2
contains err "unknown argument 'points'"
cat >own.lua <<'LUA'
local wse = require "wse"
local points = wse.argument("points", 3)
print(#wse.sweep{over = {P = {1, 2}}, run = function() return {a = points} end})
LUA
expect 0 'an argument of its own' "$wsevm" run own.lua points=7
contains out 2

# The job array of scripts/README.md, with Slurm's part played here.
# block LANGUAGE TEXT: the block of the page that has the text.
block() {
  awk -v ticks='```' -v language="$1" -v wanted="$2" '
    $0 == ticks language { take = 1; text = ""; next }
    $0 == ticks { if (take && index(text, wanted)) printf "%s", text; take = 0 }
    take { text = text $0 "\n" }' "$readme"
}
mkdir -p slurm bin
ln -s "$(readlink -f "$wsevm")" bin/wsevm
export PATH=$PWD/bin:$PATH
cd slurm || exit 1
block lua 'csv = "out/broadcast.csv"' >broadcast.lua
block sh SLURM_ARRAY_TASK_ID >share.sh
whole=$(sed -n "s/^  '\(wsevm merge .*\)'$/\1/p" "$readme")
[[ -s broadcast.lua && -s share.sh && -n $whole ]] || wrong 'scripts/README.md has no job array'
for task in {1..20}; do
  SLURM_ARRAY_TASK_ID=$task sh share.sh >said 2>&1 </dev/null || wrong "task $task: $(cat said)"
done
bash -c "$whole" >said 2>&1 </dev/null || wrong "the job after the array: $(cat said)"
contains said 'cycles'
mv out array
wsevm run broadcast.lua >said 2>&1 </dev/null || wrong "one run: $(cat said)"
for file in broadcast.csv broadcast.svg; do
  cmp "array/$file" "out/$file" || wrong "$file of the array differs"
done
cd ..

finish
