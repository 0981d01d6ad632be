-- A slice beyond the array.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a["1:9, :, :"] = 0
