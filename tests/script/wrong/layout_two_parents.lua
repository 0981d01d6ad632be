-- A tree in which a node has two parents.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:tree(w:colour("red"), {0, 0}, {{{0, 0}, {4, 0}}, {{0, 0}, {2, 0}}, {{2, 0}, {4, 0}}})
--- expect
--- layout_two_parents.lua:5: w:tree: PE (4, 0) is reached twice; a node has one parent
