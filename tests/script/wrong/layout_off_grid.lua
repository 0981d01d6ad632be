-- A route that leaves the grid.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1)
local red = w:colour("red")
w:route(red, w:row(0), "west -> east, ramp")
--- expect
--- layout_off_grid.lua:6: w:route: the route of 'red' at PE (7, 0) leaves the grid to the east; the grid is 8 x 1: end it there with '-> ramp', or say above which stream takes it, w:stream(...)
