-- A function does not say how many PEs there are.
local wse = require "wse"
wse.heat_map{values = function(x, y) return x + y end}
