-- A list without the places of its windows.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = {list = {1, 2, 3}}}}
--- expect
--- window_no_first.lua:4: wse.run: inputs.x: first: a function of (x, y) is wanted, not nil
