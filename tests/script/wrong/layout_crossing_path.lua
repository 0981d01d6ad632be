-- A path that crosses itself.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:path(w:colour("red"), {{0, 1}, {5, 1}, {5, 3}, {3, 3}, {3, 0}})
--- expect
--- layout_crossing_path.lua:5: w:path: 'red' comes to PE (3, 1) twice, from west and from south; a position has one: take another way, colour or position
