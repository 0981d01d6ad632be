-- A path that crosses itself.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:path(w:colour("red"), {{0, 1}, {5, 1}, {5, 3}, {3, 3}, {3, 0}})
