-- Slices of different lengths.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 32), p:LS("k", 3, "i32")
a[":, :, :k"] = a + 1
--- expect
--- mach_length_differs.lua:5: a[":, :, :k"] is 8 x 4 x 32, length k, but the right side is 8 x 4 x 32
