-- A name of a constant cannot be that of a collective.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:const("total", 4)
w:broadcast{name = "total", data = "v"}
--- expect
--- calls_name_twice.lua:6: w:broadcast: there is a 'total' already, from calls_name_twice.lua:5
