-- A slice that takes nothing.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a["5:5, :, :"] = 0
