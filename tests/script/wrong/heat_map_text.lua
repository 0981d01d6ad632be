-- A value that is no number.
local wse = require "wse"
wse.heat_map{values = {{1, 2}, {3, "four"}}}
--- expect
--- heat_map_text.lua:3: wse.heat_map: the value of (1, 1) is 'four'; a number is wanted, or nil
