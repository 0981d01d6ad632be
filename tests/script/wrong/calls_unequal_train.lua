-- Trains have blocks of one length.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:alltoall{name = "swap", length = function(from, to) return from + to end, along = "rows", pattern = "train"}
--- expect
--- calls_unequal_train.lua:5: w:alltoall: pattern = train: trains have blocks of one length; chain has any
