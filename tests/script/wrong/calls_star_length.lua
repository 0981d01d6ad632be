-- A star is planned for a length.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:reduce{name = "total", data = "v", pattern = "star"}
--- expect
--- calls_star_length.lua:5: w:reduce: pattern = star wants a length, that of the vector
