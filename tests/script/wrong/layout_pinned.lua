-- Two colours with one number that meet.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 2)
w:program(".program idle\n  task main:\n")
w:place("idle", w:all())
local red = w:colour("red", {number = 3})
local blue = w:colour("blue", {number = 3})
w:path(red, {{0, 0}, {3, 0}})
w:path(blue, {{2, 1}, {2, 0}})
w:run()
--- expect
--- layout_pinned.lua:11: w:run: 'red' (layout_pinned.lua:7) and 'blue' (layout_pinned.lua:8) are both pinned to the number 3, and a PE knows both
