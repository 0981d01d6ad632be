-- A method called with a dot.
local wse = require "wse"
local w = wse.layout(4, 1)
w:route(w:colour("red"), w.row(0), "west -> ramp")
