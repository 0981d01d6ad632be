-- A path that turns back.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:path(w:colour("red"), {{0, 0}, {5, 0}, {2, 0}})
