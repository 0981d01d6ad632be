-- A tree of one's own whose root lies within the line.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 2):use(require "collectives.calls")
w:allreduce{name = "total", data = "v", along = "rows", root = 1, tree = {0, 0, 2}}
--- expect
--- calls_tree_root.lua:5: w:allreduce: root = 1: a tree of your own has its root at the first PE or the last one
