-- Two programs for a PE.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:program(".program left\n  task main:\n.program right\n  task main:\n")
w:place("left", w:column({0, 4}))
w:place("right", w:column({4, 7}))
--- expect
--- layout_second_program.lua:7: w:place: PE (4, 0) has a program already, from layout_second_program.lua:6
