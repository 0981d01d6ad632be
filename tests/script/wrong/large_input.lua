-- A number that the type does not hold.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = function() return 1 << 40 end}}
--- expect
--- large_input.lua:4: wse.run: inputs.x: the function of (0, 0, 0): 1099511627776 does not fit into i32
