-- A method called with a point.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
local red = w.colour("red")
--- expect
--- layout_point.lua:5: w.colour(...): a method of a layout is called with a colon, w:colour(...)
