#!/usr/bin/env bash
# commands.sh WSEVM: what --profile, --report and `wsevm report` write and refuse.
set -uo pipefail
wsevm=$1
root=$PWD
# shellcheck source=tests/support/cases.sh
source "$root/tests/support/cases.sh"
message=$root/programs/message/message.wsa

expect 0 'a profile and a page' "$wsevm" run "$message" --quiet --profile=a.npz --report=a.html
contains a.html '<title>message</title>'
contains a.html '"rule":"overview"'
cp a.npz message.npz
expect 0 'a page of a profile' "$wsevm" report message.npz -o b.html
cmp -s a.html b.html || wrong 'the page of the profile is another one'
expect 0 'a page on stdout' bash -c "'$wsevm' report - -o - --title=message <a.npz"
contains out '<!doctype html>'
expect 0 'a profile on stdout' "$wsevm" run "$message" --quiet --profile=-
cmp -s out a.npz || wrong 'the profile on stdout is another one'
expect 0 'another run' "$wsevm" run "$message" --quiet --machine=model --profile=c.npz
expect 0 'two runs' "$wsevm" report a.npz c.npz -o two.html
contains two.html '<title>a, c</title>'
expect 0 'a run that ends badly has a profile' bash -c "'$wsevm' run '$message' --quiet --max-cycles=3 --report=d.html; test \$? = 1"
contains d.html 'The run ended (cycle_limit) after '

expect 2 'no profile' "$wsevm" report "$message" -o e.html
contains err 'is no NumPy zip'
expect 2 'a missing profile' "$wsevm" report missing.npz -o e.html
expect 2 'no output' "$wsevm" report a.npz
contains err '--output is required'
expect 2 'a page onto its profile' "$wsevm" report a.npz -o a.npz
expect 2 'a page that cannot be that small' "$wsevm" report a.npz -o e.html --max-size=1K
contains err '1024 are allowed'
expect 2 'two outputs to one file' "$wsevm" run "$message" --profile=x --report=x
contains err "--report: 'x' is for --profile too"
expect 2 'a run of a program' "$wsevm" run "$message" --profile=x --run=2
contains err '--run is for scripts'
[[ ! -e e.html && ! -e x ]] || wrong 'something was written all the same'

cat >runs.lua <<'TEXT'
local wse = require "wse"
local text = ".const N = 1\n.grid N, 1\n.program p\n  task main:\n    mov32 r1, x\n.place p at (0..N-1, 0)\n"
local function run(point) return {cycles = wse.run{text = text, values = {N = point.N}}.cycles} end
wse.sweep{over = {N = {7, 8}}, run = run}
for n = 1, 3 do run{N = n} end
wse.sweep{over = {N = {9}}, run = run}
TEXT
expect 0 'the last run of a script' "$wsevm" run runs.lua --quiet --threads=1 --report=a.html
contains a.html '"grid":[3,1]'
expect 0 'the second run of a script' "$wsevm" run runs.lua --quiet --report=a.html --run=2
contains a.html '"grid":[2,1]'
expect 2 'a run that there is not' "$wsevm" run runs.lua --quiet --profile=x --run=4 --json=a.json
contains err '--run: the script runs 3 programs, not 4'
contains a.json 'the script runs 3 programs, not 4'
[[ ! -e x ]] || wrong 'a profile of no run'
expect 0 'all reports of a run' "$wsevm" run runs.lua --quiet --run=2 --trace=t.jsonl --list=l.txt --dot=d.dot
contains l.txt 'mov32 r1, x'
contains d.dot 'digraph'
contains t.jsonl '"pe":[1,0]'
if grep -q '"pe":\[2,0\]' t.jsonl; then wrong 'a trace of another run'; fi
expect 0 'a trace of the last run' "$wsevm" run runs.lua --quiet --trace=t.jsonl --trace-rect=2,0,2,0
contains t.jsonl '"pe":[2,0]'
if grep -q '"pe":\[1,0\]' t.jsonl; then wrong 'PEs outside of the rectangle'; fi
expect 2 'a trace of any run on stdout' "$wsevm" run runs.lua --quiet --trace=-
contains err '--trace=-: a script may run several programs; say which one: --run=K'
expect 0 'a trace on stdout' "$wsevm" run runs.lua --quiet --trace=- --run=1
contains out '"pe":[0,0]'
expect 2 'a list of a run that there is not' "$wsevm" run runs.lua --quiet --list=no.txt --run=4
[[ ! -e no.txt ]] || wrong 'a list of no run'
expect 3 'a trace that nobody can write' "$wsevm" run runs.lua --quiet --trace=/dev/full
expect 0 'few slices' "$wsevm" run "$message" --quiet --slices=2 --profile=few.npz
expect 0 'no slices' "$wsevm" run "$message" --quiet --slices=0 --profile=none.npz
[[ $(stat -c %s none.npz) -lt $(stat -c %s few.npz) ]] || wrong 'slices although none are wanted'
expect 2 'too many slices' "$wsevm" run "$message" --slices=1025 --profile=x
contains err '--slices'
echo 'local wse = require "wse" wse.log("nothing")' >nothing.lua
expect 2 'a script without a run' "$wsevm" run nothing.lua --profile=x
contains err 'the script runs nothing outside of sweeps'
expect 0 'a path in a profile and on its page' "$wsevm" run "$message" --quiet --path=p.txt --profile=p.npz --report=p.html
contains p.html '"terms_of_kinds":'
expect 0 'a page of that profile' "$wsevm" report p.npz -o q.html --title=message
contains q.html '"terms_of_kinds":'
lacks b.html '"terms_of_kinds":'
cat >path.lua <<'TEXT'
require("wse").run{file = "programs/message/message.wsa", path = true}
TEXT
expect 0 'the path of a script on its page' "$wsevm" run path.lua --quiet --report=s.html
contains s.html '"terms_of_kinds":'
finish
