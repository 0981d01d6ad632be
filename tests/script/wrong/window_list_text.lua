-- A text in a list of windows.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = {list = {1, 2, "3"}, first = function() return 1 end}}}
--- expect
--- window_list_text.lua:4: wse.run: inputs.x: list: [3]: '3' is no number
