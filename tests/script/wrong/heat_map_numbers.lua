-- Too many cells for numbers.
local wse = require "wse"
wse.heat_map{width = 100, height = 100, numbers = true, values = function(x, y) return x end}
