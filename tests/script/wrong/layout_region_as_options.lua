-- The source of a multicast is one PE {x, y}.
local wse = require "wse"
local w = wse.layout(4, 1)
w:multicast(w:colour("red"), {0, 0}, {3, 0}, w:all())
--- expect
--- layout_region_as_options.lua:4: w:multicast: the table of options is a region; a table is wanted
