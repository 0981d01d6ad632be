-- A row of a nested table that is too short.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = {{{1, 2, 3}, {4, 5}}}}}
--- expect
--- uneven_input.lua:4: wse.run: inputs.x: [1][2]: 3 numbers are wanted, not 2
