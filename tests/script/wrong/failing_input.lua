-- An error in a function of an input.
local wse = require "wse"
wse.argument("size")
local function value(x)
  return nothing.there
end
wse.run{text = ".grid 2, 1\n.program p\n  .i32 x[3] exported\n  task main:\n.place p at (0..1, 0)\n", inputs = {x = value}}
--- expect
--- failing_input.lua:5: attempt to index a nil value (global 'nothing')
