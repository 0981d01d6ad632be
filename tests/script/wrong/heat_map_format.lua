-- A format that is no text.
local wse = require "wse"
wse.heat_map{values = {{1, 2}}, format = function(value) return value end}
--- expect
--- heat_map_format.lua:3: wse.heat_map: format(1, 0, 0) is 1.0; a text is wanted
