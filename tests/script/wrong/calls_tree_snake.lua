-- A tree along a snake is the only one of a rectangle.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(3, 2):use(require "collectives.calls")
w:reduce{name = "total", data = "v", tree = {snake = {0, 1, 2, 3, 4}, x = {0, 0}}}
--- expect
--- calls_tree_snake.lua:5: w:reduce: tree has the lists x and y, or snake alone
