-- A trap in a program of a layout.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 2)
w:program[[
.program idle(n: i32)
  task main:
    mov32 r1, n
    assert r1 < 3
]]
w:place("idle", w:all(), {n = "x"})
w:run()
