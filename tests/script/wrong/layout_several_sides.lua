-- A position with several sides to come from.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:route(w:colour("red"), w:row(0), "west, north -> ramp")
