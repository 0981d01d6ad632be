-- A fraction for an integer.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = function(x, y, i) return i / 2 end}}
--- expect
--- fraction_input.lua:4: wse.run: inputs.x: the function of (0, 0, 1): 0.5 is no i32
