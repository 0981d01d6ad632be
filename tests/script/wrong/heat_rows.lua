-- Rows that are all border.
local heat = require "mach.heat"
heat.run{width = 4, height = 2}
