-- A run that ends badly, from inside a function.
local wse = require "wse"
wse.argument("size")
local function run()
  wse.run{text = [[
.grid 1, 1
.colour red
.program p
  task main:
    mov32 r1, fabin(red)
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
]]}
end
run()
