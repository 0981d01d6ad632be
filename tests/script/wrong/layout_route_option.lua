-- An option that routes have not.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:route(w:colour("red"), w:row(0), {"west -> ramp", "-> west", pop = "often"})
--- expect
--- layout_route_option.lua:5: w:route: pop is 'often'; it is one of always, never, on_advance, on_advance_nop
