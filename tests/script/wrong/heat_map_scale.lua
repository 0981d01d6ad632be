-- A scale that there is not.
local wse = require "wse"
wse.heat_map{values = {{0, 1}}, scale = "rainbow"}
--- expect
--- heat_map_scale.lua:3: wse.heat_map: scale = 'rainbow'; there are diverging, grey, rising
