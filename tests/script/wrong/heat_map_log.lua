-- A log scale without a value above 0.
local wse = require "wse"
wse.heat_map{values = {{0, -1}}, log = true}
--- expect
--- heat_map_log.lua:3: wse.heat_map: no value can be drawn: a log scale has only numbers above 0
