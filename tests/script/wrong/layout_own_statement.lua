-- A statement of the layout in a text.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:program[[
.program idle
  task main:
.place idle at (0, 0)
]]
--- expect
--- layout_own_statement.lua:5: w:program: line 3 of the text is a '.place'; say it to the layout, with w:place
