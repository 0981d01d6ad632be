-- Trains run along lines.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:alltoall{name = "swap", length = 1, pattern = "train"}
--- expect
--- calls_train_grid.lua:5: w:alltoall: pattern = train: a rectangle has chain; rows and columns have both
