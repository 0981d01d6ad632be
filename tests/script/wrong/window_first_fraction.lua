-- A window that begins between two numbers.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = {list = {1, 2, 3, 4}, first = function(x) return x / 2 + 1 end}}}
--- expect
--- window_first_fraction.lua:4: wse.run: inputs.x: first of (1, 0) is 1.5; an integer of 1..2 is wanted: the list has 4 numbers, and a PE gets 3
