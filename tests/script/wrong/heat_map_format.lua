-- A text of a cell that is none.
local wse = require "wse"
wse.heat_map{values = {{1, 2}}, format = function(value) return value end}
