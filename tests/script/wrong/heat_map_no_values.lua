-- A heat map of nothing.
local wse = require "wse"
wse.heat_map{title = "words"}
