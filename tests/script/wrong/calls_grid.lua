-- An all-to-all has lines.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:alltoall{name = "swap", length = 1}
--- expect
--- calls_grid.lua:5: w:alltoall: a rectangle of 8 x 2 PEs: along = "rows" or along = "columns" is wanted
