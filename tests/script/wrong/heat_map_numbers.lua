-- Too many cells for numbers.
local wse = require "wse"
wse.heat_map{width = 100, height = 100, numbers = true, values = function(x, y) return x end}
--- expect
--- heat_map_numbers.lua:3: wse.heat_map: numbers in 100 x 100 cells would not be readable; leave the field 'numbers' out
