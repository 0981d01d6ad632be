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
