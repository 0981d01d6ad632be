-- A slice beyond the array.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a["1:9, :, :"] = 0
--- expect
--- mach_slice_beyond.lua:5: slice '1:9, :, :': 9 is beyond x, which has 8 elements
