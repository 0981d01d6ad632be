-- An element outside the array.
local wse = require "wse"
wse.argument("size")
local r = wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n"}
print(r:array("x"):at(2, 0, 0))
--- expect
--- element_outside.lua:5: there is no element (2, 0, 0); the array has x 0..1, y 0..0, i 0..2
