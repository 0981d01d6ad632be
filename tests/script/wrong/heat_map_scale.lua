-- A scale that there is not.
local wse = require "wse"
wse.heat_map{values = {{0, 1}}, scale = "rainbow"}
