-- A program without a height.
local mach = require "mach"
local p = mach.program{width = 8}
