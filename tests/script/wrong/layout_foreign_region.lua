-- A region of another layout.
local wse = require "wse"
wse.argument("size")
local small, large = wse.layout(8, 4), wse.layout(16, 4)
large:route(large:colour("red"), small:row(0), "west -> ramp")
