-- A slice that ends beyond the array is clipped, as NumPy's.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a["1:9, :, :"] = a
--- expect
--- mach_slice_beyond.lua:5: a["1:9, :, :"] is 7 x 4 x 32, but the right side is 8 x 4 x 32
