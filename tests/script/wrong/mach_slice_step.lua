-- A step of 0.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a["::0, :, :"] = 0
--- expect
--- mach_slice_step.lua:5: slice '::0, :, :': '::0': a step is an integer, but not 0
