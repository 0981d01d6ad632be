-- A slice beyond the memory of the array.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[":, :, -33:"] = 0
