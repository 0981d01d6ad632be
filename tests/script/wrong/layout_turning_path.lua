-- A path that turns back.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:path(w:colour("red"), {{0, 0}, {5, 0}, {2, 0}})
--- expect
--- layout_turning_path.lua:5: w:path: the path of 'red' turns back at PE (5, 0) to where it came from, west
