-- A pass in both directions at once cannot call a function.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:reduce_scatter{name = "parts", length = 1, op = "larger"}
--- expect
--- calls_operation.lua:5: w:reduce_scatter: op = larger: add, max, min or mul is wanted
