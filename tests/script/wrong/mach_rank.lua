-- An array of rank 7.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", {2, 2, 2, 2, 2})
