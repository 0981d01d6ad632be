-- Colours of a collective of other PEs.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
local one = w:broadcast{name = "one", data = "v", at = w:row(0), after = "next"}
w:broadcast{name = "other", data = "v", at = w:row(1), colours = one}
--- expect
--- calls_colours_of.lua:6: w:broadcast: colours = one: that one has other PEs (calls_colours_of.lua:5)
