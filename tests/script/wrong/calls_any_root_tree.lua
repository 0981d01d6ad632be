-- A root of run time has no tree.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:reduce{name = "total", along = "rows", root = {at = "r"}, pattern = "tree"}
--- expect
--- calls_any_root_tree.lua:5: w:reduce: pattern = tree: a root that the program says takes a chain
