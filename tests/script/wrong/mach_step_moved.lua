-- Steps that differ, which no shift makes.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[":4, :, :"] = a["::2, :, :"]
