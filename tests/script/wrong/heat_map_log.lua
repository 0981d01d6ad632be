-- A log scale without a value above 0.
local wse = require "wse"
wse.heat_map{values = {{0, -1}}, log = true}
