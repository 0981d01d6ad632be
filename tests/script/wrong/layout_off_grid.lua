-- A route that leaves the grid.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1)
local red = w:colour("red")
w:route(red, w:row(0), "west -> east, ramp")
