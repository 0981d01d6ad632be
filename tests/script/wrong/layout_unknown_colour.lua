-- A colour that is nearly there.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:colour("reduce")
w:path("redcue", {{0, 0}, {5, 0}})
--- expect
--- layout_unknown_colour.lua:6: w:path: unknown colour 'redcue'; did you mean 'reduce'?
