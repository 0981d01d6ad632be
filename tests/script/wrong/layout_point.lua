-- A method called with a point.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
local red = w.colour("red")
