-- Something that cannot be an input.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = 7}}
--- expect
--- kind_of_input.lua:4: wse.run: inputs.x: a table, a function or the name of a file is wanted, not 7
