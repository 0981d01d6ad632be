-- A later position without a first one.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:program(".program idle\n  task main:\n")
w:place("idle", w:all())
w:path(w:colour("red"), {{0, 0}, {3, 0}}, {position = 2})
w:run()
--- expect
--- layout_missing_position.lua:8: w:run: PE (0, 0) has no position 1 of 'red', but a later one, from layout_missing_position.lua:7
