-- An array that the program does not export.
local wse = require "wse"
wse.argument("size")
local r = wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n"}
print(r:array("y"))
--- expect
--- unknown_output.lua:5: no program on the grid exports 'y'; write 'exported' after its name in the program
