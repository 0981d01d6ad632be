-- Rows that are all border.
local heat = require "mach.heat"
heat.run{width = 4, height = 2}
--- expect
--- heat_rows.lua:3: height = 2: an integer of 4 to 4092 is wanted
