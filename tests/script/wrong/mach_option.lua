-- An option that programs have not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4, depth = 2}
