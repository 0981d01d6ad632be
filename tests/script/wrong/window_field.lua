-- A field that windows do not have, nearly.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = {list = {1, 2, 3}, frist = function() return 1 end}}}
--- expect
--- window_field.lua:4: wse.run: inputs.x: unknown field 'frist'; windows have list and first
