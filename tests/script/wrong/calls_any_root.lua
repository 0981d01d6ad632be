-- A root of run time on lines is one operand.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:broadcast{name = "spread", along = "rows", root = {x = "r", y = "r"}}
--- expect
--- calls_any_root.lua:5: w:broadcast: the root is a table; {at = "r"}, an operand of the program is wanted
