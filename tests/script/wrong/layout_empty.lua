-- A layout without a program.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:colour("red")
w:run{machine = "model"}
--- expect
--- layout_empty.lua:6: w:run: the layout has no PE with a program; w:place says which run one
