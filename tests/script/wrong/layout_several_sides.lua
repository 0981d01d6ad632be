-- A position with several sides to come from.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:route(w:colour("red"), w:row(0), "west, north -> ramp")
--- expect
--- layout_several_sides.lua:5: w:route: the route 'west, north -> ramp': a position takes wavelets from one side; several sides take several positions, [west -> ramp] [north ->], or several colours
