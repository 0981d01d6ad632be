-- A method that layouts have not.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:multcast("red", {0, 0}, w:all())
--- expect
--- layout_unknown_method.lua:5: a layout has no 'multcast'; did you mean 'multicast'?
