-- A length is a number of elements.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 1):use(require "collectives.calls")
w:alltoall{name = "swap", length = function(from, to) return from - to end}
--- expect
--- calls_unequal_length.lua:5: the length from place 0 to place 1 = -1: an integer of at least 0 is wanted
