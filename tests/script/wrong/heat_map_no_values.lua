-- A heat map of nothing.
local wse = require "wse"
wse.heat_map{title = "words"}
--- expect
--- heat_map_no_values.lua:3: wse.heat_map: field 'values' is missing; an array of a record, rows of numbers, or a function(x, y)
