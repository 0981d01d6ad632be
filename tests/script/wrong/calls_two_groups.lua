-- A PE cannot be in two groups of one collective.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:broadcast{name = "cast", data = "v", at = {w:row(0), w:column(3)}}
--- expect
--- calls_two_groups.lua:5: w:broadcast: (3, 0) is in two of the regions
