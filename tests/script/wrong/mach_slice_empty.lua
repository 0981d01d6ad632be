-- A slice that takes nothing.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a["5:5, :, :"] = 0
--- expect
--- mach_slice_empty.lua:5: slice '5:5, :, :': '5:5' takes nothing of x
