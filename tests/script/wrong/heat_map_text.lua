-- A value that is no number.
local wse = require "wse"
wse.heat_map{values = {{1, 2}, {3, "four"}}}
