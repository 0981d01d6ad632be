-- A function that gives nothing for some PEs.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
local hops = w:colours("hop", 4)
w:program(".program relay(rx: colour)\n  task main:\n")
w:place("relay", w:all(), {rx = function(x, y) return hops[x] end})
--- expect
--- layout_nil_value.lua:7: w:place: rx at PE (0, 0) is nil; a number, a colour or an expression is wanted
