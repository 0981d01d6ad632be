-- The points of a path are one list; here the second is where the options are wanted.
local wse = require "wse"
local w = wse.layout(4, 1)
w:path(w:colour("red"), {0, 0}, {3, 0})
--- expect
--- layout_points_apart.lua:4: w:path: options have names, {order = ...}; here they are a list
