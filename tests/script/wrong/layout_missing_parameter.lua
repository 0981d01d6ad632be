-- A parameter without a value.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:program(".program relay(rx: colour, tx: colour, n: i32 = 4)\n  task main:\n")
w:place("relay", w:all(), {rx = w:colour("red")})
--- expect
--- layout_missing_parameter.lua:6: w:place: the program 'relay' (layout_missing_parameter.lua:5) wants a value of its parameter 'tx: colour'
