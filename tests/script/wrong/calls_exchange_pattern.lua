-- A pattern that an all-to-all has not.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:alltoall{name = "swap", length = 1, along = "rows", pattern = "ring"}
--- expect
--- calls_exchange_pattern.lua:5: w:alltoall: pattern = ring: auto, chain or train is wanted
