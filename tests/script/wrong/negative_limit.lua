-- A limit below zero.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", max_cycles = -1}
