-- A tree whose messages cross.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(5, 1):use(require "collectives.calls")
w:reduce{name = "total", data = "v", tree = {x = {0, 0, 1, 2}, y = {}}}
--- expect
--- calls_tree_order.lua:5: w:reduce: tree: PE 3 cannot send to PE 1: messages of the tree would cross
