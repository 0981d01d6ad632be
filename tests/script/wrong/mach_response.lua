-- More R-PEs than the row has room for.
local mach = require "mach"
local p = mach.program{width = 8, height = 4, response = 8}
