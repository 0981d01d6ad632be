-- A region of another layout.
local wse = require "wse"
wse.argument("size")
local small, large = wse.layout(8, 4), wse.layout(16, 4)
large:route(large:colour("red"), small:row(0), "west -> ramp")
--- expect
--- layout_foreign_region.lua:5: w:route: the region belongs to another layout
