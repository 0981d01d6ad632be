-- A slice with more parts than the array has axes.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[":, :, :, 0"] = 0
--- expect
--- mach_slice_parts.lua:5: slice ':, :, :, 0': 4 parts for an array of rank 3
