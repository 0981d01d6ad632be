-- Two routes of a colour at a router.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
local red = w:colour("red")
for y = 0, 3 do
  w:path(red, {{0, y}, {5, y}})
end
w:path(red, {{3, 0}, {3, 3}})
--- expect
--- layout_second_route.lua:9: PE (3, 0) has another route of 'red': 'west -> east' from layout_second_route.lua:7; now 'ramp -> south'
