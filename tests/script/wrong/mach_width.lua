-- An odd width.
local mach = require "mach"
local p = mach.program{width = 7, height = 4}
