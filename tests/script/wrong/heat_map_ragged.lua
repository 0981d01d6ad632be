-- Rows of a heat map that have different lengths.
local wse = require "wse"
wse.argument("size")
wse.heat_map{file = "out/ragged.svg", values = {{1, 2, 3}, {4, 5}}}
--- expect
--- heat_map_ragged.lua:4: wse.heat_map: values[2] has 2 values, values[1] has 3; rows have the same length, and a value that is missing is false
