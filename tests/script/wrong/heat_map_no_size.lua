-- A function does not say how many PEs there are.
local wse = require "wse"
wse.heat_map{values = function(x, y) return x + y end}
--- expect
--- heat_map_no_size.lua:3: wse.heat_map: with a function the fields 'width' and 'height' say how many PEs there are
