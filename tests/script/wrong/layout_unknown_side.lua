-- A side that a mesh has not.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:route(w:colour("red"), w:row(0), "[west -> ramp] [-> eats]")
--- expect
--- layout_unknown_side.lua:5: w:route: the route '[west -> ramp] [-> eats]': unknown side 'eats'; did you mean 'east'?
