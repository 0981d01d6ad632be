-- Each PE of an all-to-all of unequal blocks has a table of all.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(64, 32):use(require "collectives.calls")
w:alltoall{name = "swap", length = function(from, to) return (from + to) % 2 end}
--- expect
--- calls_unequal_group.lua:5: w:alltoall: length is a function, and each PE has a table of all: a group has at most 400 PEs then, not 2048
