-- A slice with more parts than the array has axes.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[":, :, :, 0"] = 0
