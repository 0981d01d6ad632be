#!/usr/bin/env bash
# mach.sh WSEVM: a user's program of arrays outside the repository: its results, graph and text, a mistake
# and a trap at its line. Prints each case that fails. Must never write outside its scratch folder.
wsevm=$1
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

cat >relax.lua <<'LUA'
-- A field relaxes to the mean of its neighbours until little changes.
local mach = require "mach"
local p = mach.program{width = 8, height = 6, fuse = true}
local u = p:LA("u", 10, function(x) return x == 0 and 100 or 0 end)
local old = p:LA("old", 10)
local steps, change = p:GS("steps", 0, "i32"), p:GS("change", 1)
p:output(u, steps)
p:while_(change, ">", 0.5, function()
  old:set(u)
  u["1:-1, 1:-1, :"] = (u["2:, 1:-1, :"] + u[":-2, 1:-1, :"] + u["1:-1, 2:, :"]
                        + u["1:-1, :-2, :"]) * 0.25
  change:set(p:max(mach.abs(u - old)))
  steps:set(steps + 1)
end)
local r = p:run{graph = "relax.dot"}
print(r:value("steps"), ("%.3f"):format(r:array("u"):at(3, 3, 9)), r.user.differing_words)
assert(r.user.cycles > 0)
LUA
expect 0 'a program' "$wsevm" run relax.lua
contains out $'14\t15.704\t0'
contains relax.dot 'digraph program'
expect 0 'its text' "$wsevm" gen relax.lua -o relax.wsa
cp relax.wsa first.wsa && expect 0 'its text again' "$wsevm" gen relax.lua -o relax.wsa
cmp -s first.wsa relax.wsa || wrong 'two times the same program, two texts'
contains relax.wsa '.line 11 "relax.lua"'
expect 0 'the text alone' "$wsevm" run relax.wsa
expect 0 'another machine' "$wsevm" run relax.lua --machine=model
contains out $'14\t15.704\t0'

sed 's/"2:, 1:-1, :"/"9, 1:-1, :"/' relax.lua >beyond.lua
expect 2 'an index beyond x' "$wsevm" run beyond.lua
contains err 'beyond.lua:10: '
sed 's/"u", 10,/"u", 9,/' relax.lua >shapes.lua
expect 2 'two shapes' "$wsevm" run shapes.lua
contains err 'shapes.lua:9: '

cat >trap.lua <<'LUA'
local mach = require "mach"
local p = mach.program{width = 4, height = 2}
local a, b = p:LA("a", 4, 12, "i32"), p:LA("b", 4, nil, "i32")
a:set(a + 1)
b:set(a / b)
p:run{interpreter = false}
LUA
expect 1 'a trap in a worker' "$wsevm" run trap.lua
contains err 'trap division_by_zero'
contains err 'trap.lua:5'
expect 0 'the text of a trap' "$wsevm" gen trap.lua -o trap.wsa
expect 1 'a trap in the text' "$wsevm" run trap.wsa
contains err 'trap.lua:5'

# Every error of a script in a folder names it as the command did: of the interpreter, of the wafer, of the assembler.
mkdir m
cat >m/index.lua <<'LUA'
local mach = require "mach"
local run = {interpreter = require "wse".argument("interpreter", true)}
local p = mach.program{width = 4, height = 2}
local a, b, i = p:LA("a", 4), p:LA("b", 4), p:LA("i", 4, 9, "i32")

b:set(p:take(a, i))
p:run(run)
LUA
expect 2 'an index beyond' "$wsevm" run m/index.lua
contains err 'm/index.lua:6: '
cp trap.lua m/trap.lua
expect 1 'a trap in a folder' "$wsevm" run m/trap.lua
contains err 'm/trap.lua:5'
cat >m/text.lua <<'LUA'
local w = require "wse".layout(1, 1)
w:program[[
.program p
  task main:
    mov32 r1, nothing
]]
w:place("p", w:all())
w:run{}
LUA
expect 2 'an error in a text in a folder' "$wsevm" run m/text.lua
contains err 'm/text.lua(8):8:15: error[E020]'
contains err 'note: from m/text.lua(2):3'

# A loop that does not end is named: by a limit of the script, and by the limit of cycles.
cat >m/loop.lua <<'LUA'
local wse, mach = require "wse", require "mach"
local interpreter = wse.argument("interpreter", true)
local p = mach.program{width = 4, height = 2}
local s = p:GS("s", 0)
p:while_(s, "<", 1, function() s:set(s - 1) end)
p:run{interpreter = interpreter}
LUA
expect 2 'a loop without end' "$wsevm" run m/loop.lua --script-instructions=20000000
contains err 'm/loop.lua:5: the limit of 20000000 instructions is reached'
grep -q kernel err && wrong 'a kernel of the library in a message'
expect 1 'a loop without end on the wafer' "$wsevm" run m/loop.lua interpreter=false --max-cycles=20000 --json=r.json
contains err 'stopped at the limit of 20000 cycles: 1 of 20 PEs'
contains err 'the loops of the program are at m/loop.lua:5'
contains r.json 'm/loop.lua:5'
contains r.json '"status": "cycle_limit"'

finish
