-- Too few numbers.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = {1, 2, 3}}}
--- expect
--- short_input.lua:4: wse.run: inputs.x: 6 numbers (1 x 2 x 3) are wanted, not 3
