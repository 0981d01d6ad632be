-- More colours than there are: all messages of a tree of one's own meet at its root.
local wse = require "wse"
wse.argument("size")
local parents = {}
for v = 1, 30 do parents[v] = 0 end
local w = wse.layout(31, 1):use(require "collectives.calls")
w:reduce{name = "total", data = "v", along = "rows", tree = parents}
--- expect
--- calls_many_colours.lua:7: w:reduce: pattern = own takes 30 colours on 31 PEs, and there are 24: a chain takes 2, a star 1 or 2, and auto one that fits
