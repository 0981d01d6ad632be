-- A tree of another size than the line.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:reduce{name = "total", data = "v", along = "rows", tree = {0, 0, 2}}
--- expect
--- calls_tree_size.lua:5: w:reduce: the tree has 4 PEs along x, and there are 8
