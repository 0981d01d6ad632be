-- One value that has no slices.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local t = p:ULS("t")
t[":"] = 3
