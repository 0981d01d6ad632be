-- A root that the group does not have.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:reduce{name = "total", data = "v", at = w:rect({2, 5}, {0, 1}), root = {4, 0}}
--- expect
--- calls_root.lua:5: w:reduce: the root is 4; 0 to 3 is wanted
