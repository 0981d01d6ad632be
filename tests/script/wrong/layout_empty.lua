-- A layout without a program.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:colour("red")
w:run{machine = "model"}
