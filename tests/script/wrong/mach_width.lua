-- An odd width.
local mach = require "mach"
local p = mach.program{width = 7, height = 4}
--- expect
--- mach_width.lua:3: mach.program: width = 7: an even number is wanted, half of it on each side
