-- An error of the assembler in a statement and in a program, both of Lua lines.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 2)
local red = w:colour("red")
w:program[[
.program idle(n: i32)
  task main:
    mov32 r1, m
]]
w:place("idle", w:row(0), {n = "k + 1"})
w:path(red, {{0, 0}, {3, 0}})
w:run()
--- expect
--- layout_assembly.lua:13: wse.run: the program has errors
--- layout_assembly.lua(13):10:15: error[E020]: unknown name 'm'
---    10 |     mov32 r1, m
---       |               ^
---       = help: define it with .const, .param, .colour, .reg, or as a parameter or data of the program
---       = note: from layout_assembly.lua(6):3
--- layout_assembly.lua(13):13:35: error[E020]: unknown name 'k'
---    13 | .place idle at (0..3, 0) with n = k + 1
---       |                                   ^
---       = help: define it with .const, .param, .colour, .reg, or as a parameter or data of the program
---       = note: from layout_assembly.lua:11
