-- A right side of another type than the left.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 8), p:LS("k", 1, "i32")
k:set(a[":, :, 0"])
