-- A function that gives nothing for some PEs.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
local hops = w:colours("hop", 4)
w:program(".program relay(rx: colour)\n  task main:\n")
w:place("relay", w:all(), {rx = function(x, y) return hops[x] end})
