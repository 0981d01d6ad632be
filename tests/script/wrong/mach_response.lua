-- More R-PEs than the row has room for.
local mach = require "mach"
local p = mach.program{width = 8, height = 4, response = 8}
--- expect
--- mach_response.lua:3: mach.program: response is 8; 2 to 6 is wanted
