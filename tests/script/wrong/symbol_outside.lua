-- A PE outside the grid.
local wse = require "wse"
wse.argument("size")
local r = wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n"}
print(r:symbol(5, 0, "x"))
--- expect
--- symbol_outside.lua:5: PE(5, 0) lies outside the grid of 2 x 1
