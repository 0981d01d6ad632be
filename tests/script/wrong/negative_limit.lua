-- A limit below zero.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", max_cycles = -1}
--- expect
--- negative_limit.lua:4: wse.run: max_cycles: a number that is not negative is wanted, not -1
