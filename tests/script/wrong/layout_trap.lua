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
--- expect
--- layout_trap.lua:12: wse.run: trap assertion in cycle 0 at PE(3, 0), task main of idle, pc 1, layout_trap.lua(5):4
---   an assertion of the program does not hold: 3 < 3
---   it traps at 2 PEs in this cycle: PE(3, 0..1)
