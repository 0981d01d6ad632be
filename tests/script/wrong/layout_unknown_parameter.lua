-- A parameter that the program has not.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:program(".program relay(rx: colour, tx: colour, n: i32 = 4)\n  task main:\n")
w:place("relay", w:all(), {rx = w:colour("red"), tx = w:colour("blue"), m = 3})
--- expect
--- layout_unknown_parameter.lua:6: w:place: the program 'relay' (layout_unknown_parameter.lua:5) has no parameter 'm'; there are n, rx, tx
