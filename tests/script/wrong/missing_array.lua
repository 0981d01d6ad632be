-- An input for an array that no program exports.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1\n.program p\n  .i32 x exported\n  task main:\n.place p at (0, 0)\n",
        inputs = {z = {1}}}
--- expect
--- missing_array.lua:4: wse.run: inputs.z: no program on the grid exports 'z'; write 'exported' after its name in the program
