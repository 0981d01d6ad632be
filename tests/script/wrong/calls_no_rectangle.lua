-- Every second PE is no line of neighbours.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:broadcast{name = "cast", data = "v", at = w:rect({0, 6, 2}, 0)}
--- expect
--- calls_no_rectangle.lua:5: w:broadcast: at = (0..6 step 2, 0) is no rectangle of neighbours; several are a list, {a, b}
