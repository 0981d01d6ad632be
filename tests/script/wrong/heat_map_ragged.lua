-- Rows of a heat map that have different lengths.
local wse = require "wse"
wse.argument("size")
wse.heat_map{file = "out/ragged.svg", values = {{1, 2, 3}, {4, 5}}}
