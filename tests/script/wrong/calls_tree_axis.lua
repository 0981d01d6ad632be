-- A tree with a list of no axis.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 2):use(require "collectives.calls")
w:allreduce{name = "total", data = "v", tree = {x = {0, 0, 2}, z = {0}}}
--- expect
--- calls_tree_axis.lua:5: w:allreduce: tree has the lists x and y, or snake, not 'z'
