-- A program without a height.
local mach = require "mach"
local p = mach.program{width = 8}
--- expect
--- mach_no_height.lua:3: mach.program: height is nil; an integer is wanted
