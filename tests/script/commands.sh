#!/usr/bin/env bash
# commands.sh WSEVM: scripts as people run them: exit codes, streams, files, `gen`, interrupts.
# Prints each case that fails. Must never write outside its scratch folder.
wsevm=$1
examples=$PWD/scripts/examples
row=$examples/row.lua
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

expect 0 run "$wsevm" run "$row" P=4 --machine=model
contains out '  4 PEs:  11 cycles'
[[ ! -s err ]] || wrong "stderr of a good run: $(cat err)"
expect 0 json "$wsevm" run "$row" P=4 --machine=model --json
contains out '"cycles": 11'
[[ $(grep -c '"status": "halted"' out) -eq 3 ]] || wrong 'the record of the last run and two in runs'
contains err '  4 PEs:  11 cycles'
expect 0 stats "$wsevm" run "$row" P=4 --stats
contains out wavelets

# What gen writes assembles to what was run, but for the name of the text.
for k in 1 2 3; do
  expect 0 "gen $k" "$wsevm" gen "$row" --program="$k" -o "row$k.wsa"
  expect 0 "run of gen $k" "$wsevm" run "row$k.wsa" "P=$((1 << k))" --machine=model
done
contains out 'halted: 15 cycles'
tail -n 1 row3.wsa >last
contains last 'wsevm run FILE P=8 --machine=wse2'
expect 2 'gen without so many' "$wsevm" gen "$row" --program=9 -o none.wsa
contains err 'there is no number 9'
[[ ! -e none.wsa ]] || wrong 'gen wrote a file after an error'
"$wsevm" asm row3.wsa -o row3.wsb
printf 'require "wse".run{file = "row3.wsb"}\n' >image.lua
expect 0 'an image' "$wsevm" run image.lua --machine=model
expect 2 'gen of an image' "$wsevm" gen image.lua -o image.wsa
contains err 'image.lua:1: an image has no text'
expect 2 'gen of a program' "$wsevm" gen row3.wsa -o other.wsa
expect 2 'gen onto the script' bash -c 'cp "$0" s.lua && "$1" gen s.lua -o s.lua' "$row" "$wsevm"

# The layouts of a large grid are short texts.
for example in ring exchange broadcast-2d gemv heat; do
  size=512
  case $example in ring | exchange | gemv) size=2048 ;; esac # the first run is of a quarter
  expect 0 "gen of $example" "$wsevm" gen "$examples/$example.lua" W=$size H=$size -o large.wsa
  contains large.wsa '.grid 512, 512'
  lines=$(wc -l <large.wsa)
  [[ $lines -lt 200 ]] || wrong "$example: $lines lines for 512 x 512 PEs"
  expect 0 "asm of $example" "$wsevm" asm large.wsa -o large.wsb
done

expect 0 'the picture of README.md' "$wsevm" run "$examples/reduce.lua" out=picture
cmp picture/reduce.svg "$examples/reduce.svg" >/dev/null || wrong 'scripts/examples/reduce.svg is stale: ./dev docs'

expect 2 'an unknown argument' "$wsevm" run "$row" length=4
contains err "unknown argument 'length'; the script takes P"
collectives=$(dirname "$examples")/collectives
for collective in reduce broadcast allreduce; do
  expect 2 "an unknown argument of $collective" "$wsevm" run "$collectives/$collective.lua" P=2 wafer=3
  contains err "unknown argument 'wafer'"
  expect 2 "a wrong pattern of $collective" "$wsevm" run "$collectives/$collective.lua" pattern=butterfly
  contains err 'pattern = butterfly: '
  [[ $(wc -l <err) -eq 1 ]] || wrong "lines of the library in the error of $collective"
done
expect 2 'an option of programs' "$wsevm" run "$row" --show y
contains err '--show is for programs, not for scripts'
expect 0 'check of a script' "$wsevm" check "$row"

cat >user.lua <<'LUA'
#!/usr/bin/env wsevm
local wse = require "wse"
wse.user{pattern = "chain", sizes = {1, 2.5, "x"}, best = {cycles = 7}, last = true}
wse.log("a line for people")
LUA
expect 0 user "$wsevm" run user.lua --json=r.json
contains err 'a line for people'
contains r.json '"pattern": "chain"'
contains r.json '"cycles": 7'

printf 'local t = {} while true do t[#t + 1] = {} end\n' >memory.lua
expect 3 memory "$wsevm" run memory.lua --script-memory=16M --json=r.json
contains err 'memory limit of 16 MiB'
contains r.json '"status": "error"'
printf 'while true do end\n' >loop.lua
expect 2 instructions "$wsevm" run loop.lua --script-instructions=1000000
contains err 'loop.lua:1: the limit of 1000000 instructions is reached'
expect 130 interrupt timeout --preserve-status -s INT 1 "$wsevm" run loop.lua --unsafe --json=r.json
contains r.json '"status": "interrupted"'
contains err '--unsafe'
cat >step.lua <<'LUA'
local t = setmetatable({}, {}) getmetatable(t).__call = t
require "wse".write_text("before.txt", "written")
t()
LUA
expect 130 'interrupt in a step' timeout --preserve-status -s INT 1 "$wsevm" run step.lua --json=r.json
contains err 'interrupted in a step of the script that takes long; what it has written stays'
contains r.json '"status": "interrupted"'
contains before.txt written
expect 2 'a misspelt argument' "$wsevm" run "$examples/../collectives/reduce.lua" patern=star
contains err "unknown argument 'patern'; did you mean 'pattern'? The script takes B, P, S, code, "
empty out
printf 'require "wse".no_more_arguments()\n' >none.lua
expect 2 'an argument of a script that takes none' "$wsevm" run none.lua P=4
contains err "none.lua: unknown argument 'P'; the script takes no arguments"
expect 0 'a grid larger than the wafer' "$wsevm" run "$examples/../stencil/acoustic25.lua" nx=756 ny=1 nz=1 steps=1 check=false
contains err 'note: nx = 756, ny = 1: the wafer of the paper has 755 x 994 PEs'
expect 0 'a grid of the wafer' "$wsevm" run "$examples/../stencil/acoustic25.lua" nx=755 ny=1 nz=1 steps=1 check=false
empty err
expect 0 'the stamps of the clock method' "$wsevm" run "$collectives/clock.lua" width=3 out=stamps
[[ $(wc -l <stamps/clock.csv) -eq 4 ]] || wrong 'not a row for each PE'
expect 2 'words that only the assembler finds too many' "$wsevm" run "$examples/../gemm/message.lua" words=12280
contains err 'words: data and code take 49280 bytes in a PE, which has 49152; less fits'
printf 'os.execute("touch made")\n' >process.lua
expect 2 'a process' "$wsevm" run process.lua
[[ ! -e made ]] || wrong 'a script started a process'
expect 0 'a process, unsafe' "$wsevm" run process.lua --unsafe
[[ -e made ]] || wrong '--unsafe does not lift the sandbox'

cat >bad.lua <<'LUA'
require "wse".run{file = "stuck.wsa"}
LUA
cat >stuck.wsa <<'WSA'
.grid 1, 1
.colour red
.program p
  task main:
    mov32 r1, fabin(red)
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
WSA
expect 1 'a bad end' "$wsevm" run bad.lua --json=r.json
contains err 'bad.lua:1: wse.run: deadlock after'
contains r.json '"status": "deadlock"'
cat >arrays.lua <<'LUA'
local wse = require "wse"
local file = "programs/message/message.wsa"
wse.run{file = file, values = {P = 3, B = 2}, inputs = {x = {4, 5}}}:save("y", "a/y.npy")
wse.run{file = file, values = {P = 3, B = 2}}:save("x", "a/x.npy")
local y = wse.run{file = file, values = {P = 3, B = 2}, inputs = {x = "a/x.npy"}}:array("y")
print(y[1], y[2])
print(pcall(wse.run, {file = file, values = {B = 2}, inputs = {x = "arrays.lua"}}))
LUA
expect 0 arrays "$wsevm" run arrays.lua
contains out $'1.0\t2.0'
contains out 'inputs.x: arrays.lua: '
[[ -e a/y.npy ]] || wrong 'no array file'

# Pictures as PNG and PDF; where the program for these is missing the error says so, and no file is made.
cat >picture.lua <<'LUA'
local wse = require "wse"
local file = wse.argument("file", "")
wse.plot{file = file, lines = {{x = {1, 2}, y = {1, 2}}}, title = "(a)"}
wse.heat_map{file = "map-" .. file, values = {{1, 2}, {3, 4}}}
LUA
for kind in png pdf; do
  expect 0 "a picture as $kind" "$wsevm" run picture.lua "file=p.$kind"
  cp "p.$kind" first && expect 0 "a picture as $kind again" "$wsevm" run picture.lua "file=p.$kind"
  cmp -s first "p.$kind" || wrong "two times the same $kind differ"
done
[[ $(head -c 4 p.png | tail -c 3) == PNG && $(head -c 4 map-p.png | tail -c 3) == PNG ]] || wrong 'a PNG'
[[ $(head -c 4 p.pdf) == %PDF && $(head -c 4 map-p.pdf) == %PDF ]] || wrong 'a PDF'
expect 2 'without rsvg-convert' env PATH=/nonexistent "$wsevm" run picture.lua file=q.png
contains err 'install it (Debian: apt-get install librsvg2-bin)'
[[ ! -e q.png ]] || wrong 'a picture after an error'
# One that would take more memory than the script may is refused before anything is converted.
cat >large.lua <<'LUA'
local wse = require "wse"
local pixels = wse.argument("pixels", 10000)
wse.plot{file = "large.png", width = pixels, height = pixels, lines = {{x = {1, 2}, y = {1, 2}}}}
LUA
expect 3 'a picture beyond --script-memory' "$wsevm" run large.lua
contains err 'large.lua:3: out of memory for a picture: to convert it may take 3116 MiB'
expect 3 'a picture beyond --max-memory' "$wsevm" run large.lua pixels=1000 --max-memory=80M
contains err 'to convert it may take 95 MiB'
[[ ! -e large.png ]] || wrong 'a picture after an error'
expect 0 'a picture within --max-memory' "$wsevm" run large.lua pixels=1000 --max-memory=120M

expect 0 'isa as Lua' "$wsevm" isa --lua
contains out 'mnemonic = "fmacs"'

finish
