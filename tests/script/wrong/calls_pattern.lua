-- A pattern that there is not.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:reduce{name = "total", data = "v", along = "rows", pattern = "butterfly"}
--- expect
--- calls_pattern.lua:5: w:reduce: pattern = butterfly: auto, star, chain, tree, two-phase, auto-gen, snake or snake-auto-gen is wanted
